from __future__ import annotations

from dataclasses import replace

from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators.deployments import deployments
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment, a_webhook


def test_deployments_are_rendered_in_the_install_namespace_with_a_short_history() -> None:
    entry = a_deployment("op", labels={"a": "b"})
    [rendered] = deployments(Rendering(a_bundle(deployments=(entry,)), "ns", ("",)))
    annotations = {"olm.targetNamespaces": "", "olm.operatorNamespace": "ns"}
    template = {**entry.spec["template"], "metadata": {"annotations": annotations}}
    assert rendered == {
        "kind": "Deployment",
        "apiVersion": "apps/v1",
        "metadata": {"name": "op", "namespace": "ns", "labels": {"a": "b"}},
        "spec": {"selector": None, "template": template, "strategy": {}, "revisionHistoryLimit": 1},
        "status": {},
    }


def test_deployments_have_no_labels_when_there_are_none() -> None:
    [rendered] = deployments(Rendering(a_bundle(deployments=(a_deployment(),)), "ns", ("",)))
    assert rendered["metadata"] == {"name": "op", "namespace": "ns"}


def test_deployments_annotate_pods_from_csv_template_and_targets_in_that_order() -> None:
    entry = a_deployment()
    metadata = {"annotations": {"a": "template", "b": "template", "olm.targetNamespaces": "template"}}
    entry = replace(entry, spec={**entry.spec, "template": {**entry.spec["template"], "metadata": metadata}})
    bundle = a_bundle(deployments=(entry,), annotations={"b": "csv", "c": "csv"})
    [rendered] = deployments(Rendering(bundle, "ns", ("x", "y")))
    assert rendered["spec"]["template"]["metadata"]["annotations"] == {
        "a": "template",
        "b": "template",
        "c": "csv",
        "olm.targetNamespaces": "x,y",
        "olm.operatorNamespace": "ns",
    }


def test_deployments_are_configured_without_changing_the_bundle() -> None:
    entry = a_deployment()
    rendering = Rendering(a_bundle(deployments=(entry,)), "ns", ("",), {"nodeSelector": {"a": "b"}})
    [rendered] = deployments(rendering)
    assert rendered["spec"]["template"]["spec"]["nodeSelector"] == {"a": "b"}
    assert entry == a_deployment()


def test_deployments_of_webhooks_get_the_certificate_before_the_configuration() -> None:
    bundle = a_bundle(deployments=(a_deployment(), a_deployment("idle")), webhooks=(a_webhook(),))
    config = {"volumes": [{"name": "webhook-cert", "emptyDir": {}}]}
    served, idle = deployments(Rendering(bundle, "ns", ("",), config, Certificates.SELF_SIGNED))
    first, second = served["spec"]["template"]["spec"]["volumes"]
    assert first == {"name": "webhook-cert", "emptyDir": {}}
    assert second["secret"]["secretName"] == "op-service-cert"
    assert idle["spec"]["template"]["spec"]["volumes"] == config["volumes"]


def test_deployments_get_no_certificate_without_provider() -> None:
    [rendered] = deployments(Rendering(a_bundle(deployments=(a_deployment(),), webhooks=(a_webhook(),)), "ns", ("",)))
    assert rendered["spec"]["template"]["spec"] == a_deployment().spec["template"]["spec"]
