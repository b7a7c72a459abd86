"""Names and label values that the API server is certain to refuse. Rule: bundle-rendering.md 15, row 5."""

from __future__ import annotations

import re
from collections.abc import Iterator

from olmv1.manifests import Manifest, labels_of, name_of
from operator_controller.bundle import BundleError
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.names import SERVICE_NAME_LIMIT
from operator_controller.renderer.options import Rendering

__all__ = ["api_limits"]

_NAME_LIMIT = 253
_LABEL_LIMIT = 63
_LABEL = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?", re.ASCII)


def api_limits(objects: tuple[Manifest, ...], _: Rendering) -> Improved:
    """The objects as they are.

    Raises: BundleError with one line per name or label that no API server takes, before anything is applied.
    """
    if findings := [finding for each in objects for finding in _findings(each)]:
        raise BundleError("\n".join(findings))
    return Improved(objects)


def _findings(manifest: Manifest) -> Iterator[str]:
    kind, name = manifest["kind"], name_of(manifest)
    limit = SERVICE_NAME_LIMIT if kind == "Service" else _NAME_LIMIT
    if not name:
        yield f"{kind} in the bundle has no name"
    elif len(name.encode()) > limit:
        yield f'{kind} "{name}": the name has {len(name.encode())} characters, at most {limit} are possible'
    labels = {**labels_of(manifest)}
    if kind == "Deployment":
        labels |= labels_of(manifest["spec"]["template"])
    for key, value in sorted(labels.items()):
        if value is not None and (len(value) > _LABEL_LIMIT or not _LABEL.fullmatch(value)):
            yield f'{kind} "{name}": "{value}" cannot be the value of label "{key}"'
