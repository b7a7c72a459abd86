from __future__ import annotations

from pathlib import Path

import pytest
from pydantic_settings import SettingsConfigDict

from olmv1.settings import BindAddress, CommonSettings, SecretName, UsageError, parse_settings, settings_or_exit


class Example(CommonSettings):
    model_config = SettingsConfigDict(env_prefix="EXAMPLE_")


def test_parse_settings_reads_flags() -> None:
    arguments = ["--leader-elect", "--health-probe-bind-address=127.0.0.1:0", "--global-pull-secret=ns/secret", "-v=4"]
    settings = parse_settings(Example, arguments)
    assert settings.leader_elect is True
    assert settings.health_probe_bind_address == BindAddress("127.0.0.1", 0)
    assert settings.global_pull_secret == SecretName("ns", "secret")
    assert settings.v == 4


def test_parse_settings_prefers_flags_to_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_SYSTEM_NAMESPACE", "from-environment")
    monkeypatch.setenv("EXAMPLE_LEADER_ELECT", "true")
    settings = parse_settings(Example, ["--system-namespace=from-flag"])
    assert (settings.namespace, settings.leader_elect) == ("from-flag", True)


def test_parse_settings_reads_gates_and_secret_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_FEATURE_GATES", "AllAlpha=true")
    monkeypatch.setenv("EXAMPLE_GLOBAL_PULL_SECRET", "ns/secret")
    settings = parse_settings(Example, [])
    assert settings.notices() == ("feature gate AllAlpha=true has no effect",)
    assert settings.global_pull_secret == SecretName("ns", "secret")


def test_parse_settings_ignores_flags_of_the_log_library_of_go() -> None:
    assert parse_settings(Example, ["--logtostderr", "--vmodule=a=1"]).v == 0


def test_metrics_are_on_as_soon_as_a_certificate_is_given() -> None:
    assert parse_settings(Example, []).metrics_bind_address is None
    settings = parse_settings(Example, ["--tls-cert=/c", "--tls-key=/k"])
    assert (settings.metrics_bind_address, settings.tls_cert) == (BindAddress(None, 8443), Path("/c"))
    assert (
        parse_settings(Example, ["--tls-cert=/c", "--tls-key=/k", "--metrics-bind-address=0"]).metrics_bind_address
        is None
    )


def test_own_certificates_count_as_a_certificate() -> None:
    settings = parse_settings(Example, ["--own-certificates=serving"])
    assert (settings.metrics_bind_address, settings.has_certificate) == (BindAddress(None, 8443), True)
    named = parse_settings(
        Example, ["--own-certificates=serving", "--own-certificate-names=A.example.com, 0:0::1,,*.b,localhost"]
    )
    assert named.certificate_names() == ("localhost", "a.example.com", "::1", "*.b")
    unused = parse_settings(Example, ["--own-certificate-names=a.example.com"])
    assert unused.notices() == ("own-certificate-names has no effect without own-certificates",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tls-cert=/c"], "tls-cert and tls-key flags must be used together"),
        (["--metrics-bind-address=:1"], "metrics-bind-address requires tls-cert and tls-key flags to be set"),
        (
            ["--own-certificates=serving", "--tls-cert=/c", "--tls-key=/k"],
            "own-certificates cannot be used together with tls-cert and tls-key",
        ),
        (
            ["--own-certificates=a/b"],
            'invalid argument for "--own-certificates" flag: '
            'expected the name of an object such as catalogd-serving, found "a/b"',
        ),
        (
            ["--own-certificates=serving", "--own-certificate-names=a_b"],
            'expected a DNS name or an IP address for a certificate, found "a_b"',
        ),
        (["--global-pull-secret=x"], "value of global-pull-secret should be of the format <namespace>/<name>"),
        (
            ["--leader-elect=maybe"],
            'invalid argument "maybe" for "--leader-elect" flag: invalid boolean "maybe": expected true or false',
        ),
        (["--tls-profile=best"], 'unknown TLS profile "best": expected one of modern, intermediate, old, custom'),
        (["--feature-gates=X=true"], 'unknown feature gate "X": expected one of AllAlpha, AllBeta'),
        (
            ["--health-probe-bind-address=x"],
            'invalid argument for "--health-probe-bind-address" flag: '
            'invalid bind address "x": expected [host]:port, "" or "0"',
        ),
        (["--bogus"], "unknown flag: --bogus"),
    ],
)
def test_parse_settings_refuses(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_settings(Example, arguments)
    assert str(caught.value) == message


def test_settings_or_exit_prints_the_error_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["example", "--bogus"])
    with pytest.raises(SystemExit) as caught:
        settings_or_exit(Example, "example")
    assert caught.value.code == 1
    assert capsys.readouterr().err == "Error: unknown flag: --bogus\nRun 'example --help' for usage.\n"


def test_settings_or_exit_prints_the_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["example", "version"])
    monkeypatch.setenv("OLMV1_BUILD", "abc123 2026-01-01 clean")
    with pytest.raises(SystemExit) as caught:
        settings_or_exit(Example, "example")
    assert caught.value.code == 0
    assert capsys.readouterr().out.endswith('commit: "abc123", date: "2026-01-01", state: "clean"\n')


def test_settings_or_exit_explains_every_flag(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["example", "--help"])
    with pytest.raises(SystemExit):
        settings_or_exit(Example, "example")
    help_text = capsys.readouterr().out
    missing = [name for name in Example.model_fields if f"--{name.replace('_', '-')} " not in help_text]
    assert missing == []
