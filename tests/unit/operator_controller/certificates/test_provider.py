from __future__ import annotations

import pytest

from olmv1.served import Served
from operator_controller.certificates import choose_provider
from operator_controller.renderer.certificates import Certificates

CERT_MANAGER = {("cert-manager.io", "v1", "Certificate"), ("cert-manager.io", "v1", "Issuer")}
SERVICE_CA = {("operator.openshift.io", "v1", "ServiceCA")}


@pytest.mark.parametrize(
    ("flag", "kinds", "removed", "expected"),
    [
        pytest.param("auto", CERT_MANAGER | SERVICE_CA, (), "cert-manager", id="both"),
        pytest.param("auto", SERVICE_CA, (), "service-ca", id="OpenShift"),
        pytest.param("auto", set(), (), "self-signed", id="neither"),
        pytest.param("auto", {("cert-manager.io", "v1", "Issuer")}, (), "self-signed", id="half of cert-manager"),
        pytest.param("auto", CERT_MANAGER | SERVICE_CA, ("cert-manager",), "service-ca", id="cert-manager removed"),
        pytest.param("auto", CERT_MANAGER, ("cert-manager", "service-ca"), "self-signed", id="both removed"),
        pytest.param("auto", set(), tuple(Certificates), "none", id="all removed"),
        pytest.param("cert-manager", set(), (), "cert-manager", id="asked for"),
        pytest.param("none", CERT_MANAGER, (), "none", id="none asked for"),
        pytest.param("service-ca", SERVICE_CA, ("service-ca",), "none", id="asked for and removed"),
    ],
)
def test_choose_provider_takes_the_best_that_the_cluster_offers(
    flag: str, kinds: set[tuple[str, str, str]], removed: tuple[str, ...], expected: str
) -> None:
    gone = [Certificates(name) for name in removed]
    assert choose_provider(flag, Served("1.36.3", frozenset(kinds)), gone) == expected


def test_choose_provider_refuses_an_unknown_name() -> None:
    with pytest.raises(ValueError, match="'vault' is not a valid Certificates"):
        choose_provider("vault", Served())
