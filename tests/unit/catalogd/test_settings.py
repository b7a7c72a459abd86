from __future__ import annotations

from pathlib import Path

import pytest

from catalogd.server.routes import Endpoint
from catalogd.settings import Settings
from olmv1.settings import BindAddress, UsageError, parse_settings

TLS = ["--tls-cert=/tls.crt", "--tls-key=/tls.key"]


def test_settings_have_the_defaults_of_the_reference() -> None:
    settings = parse_settings(Settings, [])
    assert settings.catalogs_server_addr == BindAddress(None, 8443)
    assert settings.cache_dir == Path("/var/cache/catalogd")
    assert settings.gc_interval == 43200.0
    assert settings.endpoints == frozenset(Endpoint)


def test_settings_put_metrics_beside_the_certificate() -> None:
    assert parse_settings(Settings, TLS).metrics_bind_address == BindAddress(None, 7443)


@pytest.mark.parametrize(
    ("arguments", "url"),
    [
        ([], "http://catalogd-service.olmv1-system.svc/catalogs/team"),
        (TLS, "https://catalogd-service.olmv1-system.svc/catalogs/team"),
        (["--external-address=127.0.0.1:80"], "http://127.0.0.1:80/catalogs/team"),
        (["--external-address=https://proxy.example/"], "https://proxy.example/catalogs/team"),
    ],
)
def test_base_url_takes_the_scheme_from_the_certificate(arguments: list[str], url: str) -> None:
    assert parse_settings(Settings, arguments).base_url("team") == url


@pytest.mark.parametrize(
    ("arguments", "hosts"),
    [
        ([], ("catalogd-service.olmv1-system.svc",)),
        (["--external-address=127.0.0.1:8443"], ("127.0.0.1", "catalogd-service.olmv1-system.svc")),
        (["--external-address=https://[::1]:1/x"], ("::1", "catalogd-service.olmv1-system.svc")),
    ],
)
def test_own_certificate_is_for_the_external_address_and_the_service(
    arguments: list[str], hosts: tuple[str, ...]
) -> None:
    settings = parse_settings(Settings, ["--own-certificates=catalogd-serving", *arguments])
    assert settings.certificate_names() == (*hosts, "catalogd-service.olmv1-system.svc.cluster.local", "localhost")
    assert settings.base_url("team").startswith("https://")


@pytest.mark.parametrize("address", ["https://[::1", "a_b:80"])
def test_own_certificate_cannot_be_for_what_is_no_host(address: str) -> None:
    with pytest.raises(UsageError):
        parse_settings(Settings, ["--own-certificates=catalogd-serving", f"--external-address={address}"])


def test_settings_accept_the_arguments_of_the_reference() -> None:
    arguments = [
        "--leader-elect",
        "--gc-interval",
        "10m0s",
        "--webhook-server-port=9443",
        "--pprof-bind-address=:6060",
        "-v=2",
    ]
    settings = parse_settings(
        Settings, [*arguments, "--feature-gates=APIV1MetasHandler=false,GraphQLCatalogQueries=true"]
    )
    assert settings.gc_interval == 600.0
    assert settings.endpoints == frozenset({Endpoint.ALL})
    assert settings.notices() == (
        "feature gate GraphQLCatalogQueries=true has no effect: it is not offered yet",
        "pprof-bind-address has no effect: there is no profiler",
    )


def test_settings_refuse_metrics_without_a_certificate_in_the_words_of_the_reference() -> None:
    with pytest.raises(UsageError) as caught:
        parse_settings(Settings, ["--metrics-bind-address=:7443"])
    assert str(caught.value) == "metrics-bind-address requires tls-cert and tls-key flags"
