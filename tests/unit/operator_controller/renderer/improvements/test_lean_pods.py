from __future__ import annotations

from dataclasses import replace
from typing import Any

from olmv1.manifests import annotations_of
from operator_controller.renderer.generators.deployments import deployments
from operator_controller.renderer.improvements.lean_pods import lean_pods
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment

_KEPT = {
    "olm.properties": "[]",
    "operatorframework.io/arch": "x",
    "features.operators.openshift.io/fips": "true",
}
_TARGETS = {"olm.targetNamespaces": "", "olm.operatorNamespace": "ns"}


def pod_annotations(csv: dict[str, str], own: dict[str, str], config: Any = None) -> dict[str, str]:
    entry = a_deployment()
    template = {**entry.spec["template"], "metadata": {"annotations": own}}
    entry = replace(entry, spec={**entry.spec, "template": template})
    rendering = Rendering(a_bundle(deployments=(entry,), annotations=csv), "ns", ("",), config)
    [deployment] = lean_pods(tuple(deployments(rendering)), rendering).objects
    return dict(annotations_of(deployment["spec"]["template"]))


def test_lean_pods_copies_no_presentation() -> None:
    csv = {"alm-examples": "[]", "description": "d", "operators.operatorframework.io/builder": "b", **_KEPT}
    assert pod_annotations(csv, {}) == {**_KEPT, **_TARGETS}


def test_lean_pods_keeps_what_template_and_configuration_say() -> None:
    config = {"annotations": {"description": "configured", "own": "configured", "new": "configured"}}
    found = pod_annotations({"description": "csv", "own": "csv"}, {"own": "template"}, config)
    assert found == {"description": "configured", "own": "template", "new": "configured", **_TARGETS}


def test_lean_pods_leaves_a_lean_pod_alone() -> None:
    rendering = Rendering(a_bundle(deployments=(a_deployment(),), annotations=_KEPT), "ns", ("",))
    [given] = deployments(rendering)
    assert lean_pods((given,), rendering).objects[0] is given
