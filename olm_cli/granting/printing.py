"""How manifests of rights are printed, and what became of those that were applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olm_cli.options import Format
from olm_cli.output import Line, Tone, answer
from olmv1.manifests import Manifest, key_of

__all__ = ["list_of", "tell_applied"]


def tell_applied(form: Format, applied: Sequence[tuple[Manifest, bool]]) -> None:
    """Print each manifest with whether it was created."""
    rows = [(key_of(manifest), "created" if created else "applied") for manifest, created in applied]
    document = [
        {"kind": key.kind, "namespace": key.namespace, "name": key.name, "result": result} for key, result in rows
    ]
    lines = [
        Line(f"{key.kind} {'/'.join(filter(None, (key.namespace, key.name)))} {result}", Tone.GOOD)
        for key, result in rows
    ]
    answer(form, document, lines)


def list_of(manifests: Sequence[Manifest]) -> Mapping[str, Any]:
    """The manifests as one List, as kubectl prints several objects."""
    return {"apiVersion": "v1", "kind": "List", "items": list(manifests)}
