"""NOTES.txt, which `helm template` renders and does not print: got out by a template that we add.

The template is one object, so that it comes back in the stream of rendered objects, where `taken_from` finds it.
"""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.api.names import EXTRAS_PREFIX
from olmv1.manifests import Manifest

__all__ = ["LIMIT", "TEMPLATE_PATH", "taken_from", "template"]

LIMIT = 8192
"""Characters of a text that is kept: it is stored in an annotation of the revision."""

TEMPLATE_PATH = "templates/zz-olm-notes.yaml"

_API_VERSION = f"{EXTRAS_PREFIX}internal"
_KIND = "Notes"
_CUT = "\n[cut]\n"


def template() -> bytes:
    """The content of the template at `TEMPLATE_PATH`; only for a chart that has notes."""
    text = '{{ include (print $.Template.BasePath "/NOTES.txt") . | toJson }}'
    return f"apiVersion: {_API_VERSION}\nkind: {_KIND}\ntext: {text}\n".encode()


def taken_from(objects: Iterable[Manifest]) -> tuple[tuple[Manifest, ...], str | None]:
    """The objects without the notes, and the notes, cut to `LIMIT`; `None` where there are none."""
    kept: list[Manifest] = []
    notes = None
    for manifest in objects:
        if (manifest.get("apiVersion"), manifest.get("kind")) == (_API_VERSION, _KIND):
            notes = str(manifest.get("text") or "").strip()
        else:
            kept.append(manifest)
    if notes and len(notes) > LIMIT:
        notes = notes[: LIMIT - len(_CUT)] + _CUT
    return tuple(kept), notes or None
