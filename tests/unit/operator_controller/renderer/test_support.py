from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import Api, BundleError
from operator_controller.renderer import Certificates, Gates, RenderOptions
from operator_controller.renderer.support import require_supported
from tests.bundles import a_bundle

_API_SERVICE = {"owned_api_services": (Api("g", "v", "K"),)}
_WEBHOOK: Any = {"webhooks": ({"type": "ConversionWebhook"},)}
_OWN = {"install_modes": frozenset({"OwnNamespace"})}
_GATE_OFF = RenderOptions("ns", gates=Gates(single_own_namespace=False))


@pytest.mark.parametrize(
    ("members", "options", "reason"),
    [
        pytest.param(
            _API_SERVICE | _WEBHOOK, RenderOptions("ns"), "apiServiceDefintions are not supported", id="first"
        ),
        pytest.param(_WEBHOOK | _OWN, _GATE_OFF, "webhookDefinitions are not supported", id="webhooks"),
        pytest.param(_OWN, _GATE_OFF, "bundle does not support AllNamespaces install mode", id="gate off"),
        pytest.param(
            {"install_modes": frozenset({"MultiNamespace"})},
            RenderOptions("ns"),
            "bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes",
            id="no mode",
        ),
    ],
)
def test_require_supported_gives_the_first_reason(members: Any, options: RenderOptions, reason: str) -> None:
    with pytest.raises(BundleError) as caught:
        require_supported(a_bundle(**members), options)
    assert (str(caught.value), caught.value.reason) == (f"unsupported bundle: {reason}", "Blocked")


@pytest.mark.parametrize("options", [RenderOptions("ns"), _GATE_OFF])
def test_require_supported_accepts_a_bundle_for_all_namespaces(options: RenderOptions) -> None:
    require_supported(a_bundle(), options)


@pytest.mark.parametrize("certificates", [each for each in Certificates if each is not Certificates.NONE])
def test_require_supported_accepts_webhooks_when_somebody_makes_their_certificates(certificates: Certificates) -> None:
    require_supported(a_bundle(**_WEBHOOK), RenderOptions("ns", certificates=certificates))
