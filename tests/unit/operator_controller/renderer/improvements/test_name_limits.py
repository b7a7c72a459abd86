from __future__ import annotations

from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators import GENERATORS
from operator_controller.renderer.improvements.name_limits import name_limits
from operator_controller.renderer.names import cert_name, service_name
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd, a_deployment, a_webhook

_LONG = "d" * 56  # with "service" exactly 63, where the reference forgets the hyphen


def rendered(deployment: str, namespace: str = "ns") -> tuple[Rendering, tuple[dict[str, object], ...]]:
    webhooks = (
        a_webhook(deploymentName=deployment),
        a_webhook("c", "Conversion", deploymentName=deployment, conversionCRDs=["things.example.com"]),
    )
    bundle = a_bundle(deployments=(a_deployment(deployment),), webhooks=webhooks, crds=(a_crd(),))
    rendering = Rendering(bundle, namespace, ("",), certificates=Certificates.CERT_MANAGER)
    return rendering, tuple(dict(each) for generator in GENERATORS for each in generator(rendering))


def test_name_limits_renames_a_service_of_64_bytes_wherever_it_is_named() -> None:
    rendering, given = rendered(_LONG)
    assert len(service_name(_LONG)) == 64
    result = name_limits(given, rendering).objects
    before, after = repr(given), repr(result)
    new = f"{_LONG[:-1]}-service"
    # In the names of the certificate it stays: those have room.
    kept = before.count(cert_name(_LONG))
    old = service_name(_LONG)
    assert after == before.replace(old + "'", new + "'").replace(old + ".", new + ".").replace(
        f"'commonName': '{new}.ns', ", ""
    )
    assert after.count(cert_name(_LONG)) == kept


def test_name_limits_leaves_out_only_a_common_name_that_is_too_long() -> None:
    for namespace, is_kept in (("n" * 53, True), ("n" * 54, False)):
        rendering, given = rendered("op", namespace)
        *_, certificate = name_limits(given, rendering).objects
        assert ("commonName" in certificate["spec"]) is is_kept
        assert len(certificate["spec"]["dnsNames"]) == 3


def test_name_limits_changes_nothing_else() -> None:
    rendering, given = rendered("op")
    result = name_limits(given, rendering).objects
    assert all(after is before for before, after in zip(given, result, strict=True))
