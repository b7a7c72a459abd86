"""What the author of an extension's content wants to tell the user: the NOTES.txt of a chart.

The controller keeps it on the revision. Used by `olm status`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from olm_cli.output import Block, Line, Tone
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError
from olmv1.kube.resources import CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, annotations_of
from operator_controller.revisions.desired import ANNOTATION_NOTES

__all__ = ["notes_blocks", "notes_of"]

_INDENT_LIMIT = 40


async def notes_of(client: KubeClient, ext: Manifest) -> str | None:
    """The notes on the newest active revision of `ext`; `None` where there are none, or they may not be read."""
    revisions: Any = (ext.get("status") or {}).get("activeRevisions") or ()
    if not revisions:
        return None
    try:
        revision = await client.get(CLUSTER_OBJECT_SETS, revisions[-1]["name"], metadata_only=True)
    except ApiError:
        return None  # an extra: whoever may look at the extension only gets everything else
    return annotations_of(revision).get(ANNOTATION_NOTES)


def notes_blocks(notes: str | None) -> Iterator[Block]:
    """The notes below a heading, line by line as they were written."""
    if not notes:
        return
    yield Line()
    yield Line("notes", Tone.STRONG)
    for line in notes.splitlines():
        text = line.lstrip(" ")
        yield Line(text, indent=min(2 + len(line) - len(text), _INDENT_LIMIT) if text else 0)
