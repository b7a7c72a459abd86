"""The messages of what is not as it should be, and who can say more. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from olm_cli.output import Block, Line, Tone
from olm_cli.status.state import SHOWN, State, is_good, tone_of
from olmv1.api.vocabulary import ConditionType, Reason

__all__ = ["message_blocks", "next_step", "remarks"]

_DEPRECATIONS = (
    ConditionType.PACKAGE_DEPRECATED,
    ConditionType.CHANNEL_DEPRECATED,
    ConditionType.BUNDLE_DEPRECATED,
)
_NEWS = (*_DEPRECATIONS, ConditionType.UPGRADE_PENDING)
"""Conditions beside the deciding ones that are worth a line while they are true."""


def remarks(document: Mapping[str, Any]) -> Iterator[Block]:
    """What is wrong with an extension or expected of a person, nothing when all is well."""
    if document["isDeleting"]:
        yield Line("is being deleted", Tone.DOUBTFUL, indent=2)
    if document["state"] == State.UNKNOWN:
        text = "the controller has not looked at it yet; is operator-controller running?"
        yield Line(text, Tone.DOUBTFUL, indent=2)
    for condition in document["conditions"]:
        if condition["type"] in SHOWN and not is_good(condition):
            yield from message_blocks(condition, tone_of(condition))
        elif condition["type"] in _NEWS and condition["status"] == "True":
            yield from message_blocks(condition, Tone.DOUBTFUL)


def next_step(document: Mapping[str, Any]) -> Iterator[Block]:
    """Who can say more about what does not move on."""
    name = document["name"]
    if _reasons(document, ConditionType.PROGRESSING) & {Reason.RETRYING, Reason.BLOCKED}:
        yield Line(f"more about it: olm explain {name}", Tone.FAINT, indent=2)
    if Reason.APPROVAL_REQUIRED in _reasons(document, ConditionType.UPGRADE_PENDING):
        yield Line(f"what it would change: olm plan {name}", Tone.FAINT, indent=2)


def message_blocks(condition: Mapping[str, Any], tone: Tone, indent: int = 2) -> Iterator[Block]:
    """A message of several lines lists things: each keeps its line."""
    first, *others = condition["message"].splitlines() or [""]
    yield Line(f"{condition['type']}: {first}", tone, indent=indent)
    for line in others:
        yield Line(line, tone, indent=indent + 2)


def _reasons(document: Mapping[str, Any], type_: ConditionType) -> set[str]:
    return {each["reason"] for each in document["conditions"] if each["type"] == type_}
