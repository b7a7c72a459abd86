"""The messages of what is not as it should be, and who can say more. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from olm_cli.output import Block, Line, Tone
from olm_cli.remedies import annotating, granting
from olm_cli.status.state import SHOWN, State, is_good, tone_of
from olmv1.api.names import EXTRAS_PREFIX
from olmv1.api.vocabulary import ConditionType, Reason

__all__ = ["message_blocks", "next_step", "remarks"]

_DEPRECATIONS = (
    ConditionType.PACKAGE_DEPRECATED,
    ConditionType.CHANNEL_DEPRECATED,
    ConditionType.BUNDLE_DEPRECATED,
)
_NEWS = (*_DEPRECATIONS, ConditionType.UPGRADE_PENDING)
"""Conditions beside the deciding ones that are worth a line while they are true."""
_PROGRESSING = ConditionType.PROGRESSING
_PAUSED, _ADOPT = f"{EXTRAS_PREFIX}paused", f"{EXTRAS_PREFIX}adopt"
# What the messages of the controller say, word for word.
_RIGHTS_MISSING = ("pre-authorization failed: ", '" not found in namespace "')
_NOT_MANAGED = " is not managed by OLM"


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
    for text in document["strangeExtras"]:
        yield Line(text, Tone.DOUBTFUL, indent=2)


def next_step(document: Mapping[str, Any]) -> Iterator[Block]:
    """What helps with what does not move on, or who can say more about it."""
    for text in _next_steps(document):
        yield Line(text, Tone.FAINT, indent=2)


def _next_steps(document: Mapping[str, Any]) -> Iterator[str]:
    name, progressing = document["name"], _reasons(document, ConditionType.PROGRESSING)
    if document["isDeleting"]:
        return  # its message says what it waits for
    if Reason.PAUSED in progressing:
        yield f"to go on: {annotating(name, _PAUSED, None)}"
    if progressing & {Reason.RETRYING, Reason.BLOCKED}:
        message = " ".join(each["message"] for each in document["conditions"] if each["type"] == _PROGRESSING)
        if document["serviceAccount"] and any(text in message for text in _RIGHTS_MISSING):
            yield f"to write the rights: {_granting(document)}"
        elif _NOT_MANAGED in message:
            yield f"to take over what nobody controls: {annotating(name, _ADOPT, 'IfUnowned')}"
        else:
            yield f"more about it: olm explain {name}"
    if Reason.APPROVAL_REQUIRED in _reasons(document, ConditionType.UPGRADE_PENDING):
        yield f"what it would change: olm plan {name}"


def _granting(document: Mapping[str, Any]) -> str:
    wanted = document["wanted"]
    return granting(
        document["package"],
        document["name"],
        namespace=document["namespace"],
        account=document["serviceAccount"],
        version=wanted["version"],
        channels=wanted["channels"],
        is_self_certified=wanted["policy"] == "SelfCertified",
    )


def message_blocks(condition: Mapping[str, Any], tone: Tone, indent: int = 2) -> Iterator[Block]:
    """A message of several lines lists things: each keeps its line."""
    first, *others = condition["message"].splitlines() or [""]
    yield Line(f"{condition['type']}: {first}", tone, indent=indent)
    for line in others:
        yield Line(line, tone, indent=indent + 2)


def _reasons(document: Mapping[str, Any], type_: ConditionType) -> set[str]:
    return {each["reason"] for each in document["conditions"] if each["type"] == type_}
