from __future__ import annotations

import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from olmv1.errors import RetryableError
from olmv1.serving_certificate.serving import serving_of
from olmv1.settings import CommonSettings, parse_settings
from olmv1.tls.authority import Span, issue, new_authority

SPAN = Span(datetime(2026, 6, 1, tzinfo=UTC), datetime(2026, 6, 2, tzinfo=UTC))


def settings_of(*arguments: str) -> CommonSettings:
    return parse_settings(CommonSettings, ["--system-namespace=olm", *arguments])


def test_without_a_certificate_there_is_no_tls() -> None:
    assert serving_of(settings_of(), CollectorRegistry()) is None


def test_files_are_offered_at_once(tmp_path: Path) -> None:
    cert, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    arguments = (f"--tls-cert={cert}", f"--tls-key={key}")
    with pytest.raises(RetryableError):
        serving_of(settings_of(*arguments), CollectorRegistry())
    pair = issue(new_authority("x", SPAN), ["localhost"], SPAN)
    cert.write_text(pair.certificate)
    key.write_text(pair.key)
    serving = serving_of(settings_of(*arguments), CollectorRegistry())
    assert serving is not None
    assert serving.what_is_missing() is None


def test_own_certificate_is_missing_until_the_cluster_was_asked() -> None:
    serving = serving_of(settings_of("--own-certificates=serving", "--tls-profile=modern"), CollectorRegistry())
    assert serving is not None
    assert serving.what_is_missing() == "no certificate in Secret olm/serving yet"
    assert serving.context.minimum_version is ssl.TLSVersion.TLSv1_3
