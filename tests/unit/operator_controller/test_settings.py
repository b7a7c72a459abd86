from __future__ import annotations

import pytest

from olmv1.settings import UsageError, parse_settings
from operator_controller.settings import Settings


def test_own_certificate_is_for_the_service_of_the_metrics() -> None:
    settings = parse_settings(Settings, ["--own-certificates=serving", "--system-namespace=olm"])
    hosts = ("operator-controller-service.olm.svc", "operator-controller-service.olm.svc.cluster.local")
    assert settings.certificate_names() == (*hosts, "localhost")


def test_secret_with_the_authority_of_catalogd_is_a_name() -> None:
    assert parse_settings(Settings, ["--catalogd-ca-secret=catalogd-serving"]).catalogd_ca_secret == "catalogd-serving"
    with pytest.raises(UsageError) as caught:
        parse_settings(Settings, ["--catalogd-ca-secret=Olm"])
    assert str(caught.value) == (
        'invalid argument for "--catalogd-ca-secret" flag: '
        'expected the name of an object such as catalogd-serving, found "Olm"'
    )
