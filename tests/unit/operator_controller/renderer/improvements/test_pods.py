from __future__ import annotations

from operator_controller.renderer.improvements.pods import with_pod

_DEPLOYMENT = {"kind": "Deployment", "spec": {"replicas": 1, "template": {"metadata": {}, "spec": {"a": 1}}}}


def test_with_pod_changes_deployments_only() -> None:
    changed = {"kind": "Deployment", "spec": {"replicas": 1, "template": {"metadata": {}, "spec": {"b": 2}}}}
    assert with_pod(_DEPLOYMENT, lambda _: {"b": 2}) == changed
    assert with_pod(_DEPLOYMENT, lambda pod: pod) is _DEPLOYMENT
    service = {"kind": "Service"}
    assert with_pod(service, lambda _: {"b": 2}) is service
