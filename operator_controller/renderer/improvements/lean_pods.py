"""Presentation annotations stay off the pods. Rule: bundle-rendering.md 15, row 12."""

from __future__ import annotations

from collections.abc import Mapping

from olmv1.manifests import Manifest, annotations_of, name_of
from operator_controller.renderer.improvements.improved import Improved, for_each
from operator_controller.renderer.improvements.pods import with_template
from operator_controller.renderer.options import Rendering

__all__ = ["lean_pods"]

_KEPT = ("olm.", "operatorframework.io/", "features.operators.openshift.io/")


def lean_pods(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """Of the annotations of the CSV only those that an operator may read are copied to its pods.

    Examples, icons and descriptions reach 64 KiB per pod, and a new text would restart every pod. What the template
    itself or the configuration says stays.
    """
    own = {entry.name: annotations_of(entry.spec["template"]) for entry in rendering.bundle.deployments}
    configured: Mapping[str, str] = (rendering.deployment_config or {}).get("annotations") or {}

    def lean(deployment: Manifest) -> Manifest:
        wanted = own.get(name_of(deployment), {})
        return with_template(deployment, lambda template: _lean(template, {**configured, **wanted}, rendering))

    return for_each(objects, lean)


def _lean(template: Manifest, wanted: Mapping[str, str], rendering: Rendering) -> Manifest:
    dropped = {key for key in rendering.bundle.annotations if not key.startswith(_KEPT)}
    found = template["metadata"]["annotations"]
    annotations = {
        key: wanted.get(key, value) if key in dropped else value
        for key, value in found.items()
        if key not in dropped or key in wanted
    }
    return (
        template
        if annotations == found
        else {
            **template,
            "metadata": {**template["metadata"], "annotations": annotations},
        }
    )
