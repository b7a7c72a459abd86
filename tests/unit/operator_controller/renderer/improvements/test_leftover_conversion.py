from __future__ import annotations

from typing import Any

from operator_controller.renderer.improvements.leftover_conversion import leftover_conversion
from operator_controller.renderer.improvements.webhook_clients import conversion_service
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd, a_webhook

_SERVICE = {"kind": "Service", "metadata": {"name": "made"}}


def crd_with(service: str, namespace: str = "theirs") -> dict[str, Any]:
    client = {"service": {"namespace": namespace, "name": service}}
    return a_crd(conversion={"strategy": "Webhook", "webhook": {"clientConfig": client}})


def text_of(service: str, remark: str) -> str:
    return (
        'CustomResourceDefinition "things.example.com": no webhook of the ClusterServiceVersion converts it, but '
        f'Service "theirs/{service}", which is {remark}'
    )


def test_leftover_conversion_finds_a_service_of_the_bundle_in_the_install_namespace() -> None:
    result = leftover_conversion((crd_with("made"), _SERVICE), Rendering(a_bundle(), "ns", ("",)))
    assert conversion_service(result.objects[0]) == {"namespace": "ns", "name": "made"}
    assert result.warnings == (text_of("made", "part of the bundle: its namespace was set"),)


def test_leftover_conversion_warns_of_a_strange_service() -> None:
    given = (crd_with("strange"), _SERVICE)
    result = leftover_conversion(given, Rendering(a_bundle(), "ns", ("",)))
    assert result.objects == given
    assert result.warnings == (text_of("strange", "not part of the bundle"),)


def test_leftover_conversion_keeps_what_a_webhook_of_the_csv_says() -> None:
    webhook = a_webhook("c", "Conversion", conversionCRDs=["things.example.com"])
    given = (crd_with("made", "ns"), a_crd("others"))
    result = leftover_conversion(given, Rendering(a_bundle(webhooks=(webhook,)), "ns", ("",)))
    assert (result.objects, result.warnings) == (given, ())
