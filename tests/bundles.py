"""Made-up bundles for tests: builders with defaults, and the files of real ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from operator_controller.bundle import Bundle, Deployment, Permission

PACKAGE_KEY = "operators.operatorframework.io.bundle.package.v1"


def a_csv(**spec: Any) -> dict[str, Any]:
    """The CSV `op.v1.0.0`: all install modes, one deployment, and `spec` over the defaults."""
    modes = ("AllNamespaces", "OwnNamespace", "SingleNamespace")
    defaults = {
        "installModes": [{"type": mode, "supported": True} for mode in modes],
        "install": {"strategy": "deployment", "spec": {"deployments": [{"name": "op", "spec": a_deployment_spec()}]}},
    }
    return {
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {"name": "op.v1.0.0"},
        "spec": {**defaults, **spec},
    }


def a_deployment_spec(**pod: Any) -> dict[str, Any]:
    """A DeploymentSpec with one container `manager`, and `pod` over the pod's defaults."""
    labels = {"app": "op"}
    return {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "manager"}], **pod}},
    }


def a_crd(plural: str = "things", **spec: Any) -> dict[str, Any]:
    """The CRD `<plural>.example.com`."""
    kind = plural.removesuffix("s").capitalize()
    defaults = {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": plural, "kind": kind},
        "versions": [],
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {**defaults, **spec},
    }


def bundle_files(csv: Any = None, **others: Any) -> dict[str, bytes]:
    """The files of a bundle; `others` are manifests by file name without ending, bytes stay as they are."""
    manifests = {"csv": csv or a_csv(), **others}
    files = {f"manifests/{name}.yaml": _encoded(manifest) for name, manifest in manifests.items()}
    return {"metadata/annotations.yaml": _encoded({"annotations": {PACKAGE_KEY: "op"}}), **files}


def _encoded(manifest: Any) -> bytes:
    return manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()


def a_bundle(**members: Any) -> Bundle:
    """The view of a bundle of package `op`, CSV `op.v1.0.0`, that can watch all namespaces."""
    defaults = {"package": "op", "csv_name": "op.v1.0.0", "install_modes": frozenset({"AllNamespaces"})}
    return Bundle(**{**defaults, **members})


def a_deployment(name: str = "op", *, labels: Mapping[str, str] | None = None, **pod: Any) -> Deployment:
    """An encoded deployment with one container `manager`, and `pod` over the pod's defaults."""
    template = {"metadata": {}, "spec": {"containers": [{"name": "manager", "resources": {}}], **pod}}
    return Deployment(name, labels or {}, {"selector": None, "template": template, "strategy": {}})


def a_webhook(name: str = "a.example.com", kind: str = "Validating", **members: Any) -> dict[str, Any]:
    """An encoded WebhookDescription of deployment `op`; `kind` is `Validating`, `Mutating` or `Conversion`."""
    suffix = "Webhook" if kind == "Conversion" else "AdmissionWebhook"
    required = {"generateName": name, "type": f"{kind}{suffix}", "deploymentName": "op"}
    return {**required, "sideEffects": None, "admissionReviewVersions": ["v1"], **members}


def a_permission(account: str = "sa", *verbs: str) -> Permission:
    """The right to use `verbs` (default `get`) on pods."""
    rule = {"verbs": list(verbs) or ["get"], "apiGroups": [""], "resources": ["pods"]}
    return Permission(account, (rule,))


def files_of(bundle_dir: Path) -> dict[str, bytes]:
    """The files of a real bundle, as the shell hands them over."""
    paths = (path for path in sorted(bundle_dir.rglob("*")) if path.is_file())
    return {path.relative_to(bundle_dir).as_posix(): path.read_bytes() for path in paths}


def write_bundle(folder: Path, files: Mapping[str, bytes] | None = None) -> str:
    """A bundle directory with these files, by default those of `bundle_files()`; and its path as text."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (bundle_files() if files is None else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(folder)
