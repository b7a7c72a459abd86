"""The status of a ClusterCatalog, computed from what a reconcile learned. Pure; the only place that builds conditions.

Rule: clustercatalog.md 6 and 13.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from catalogd.outcome import Outcome, Withdrawn
from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition, stamp_all
from olmv1.errors import TerminalError
from olmv1.manifests import Manifest

__all__ = ["progressing", "serving", "status_of"]

_SET_UNAVAILABLE = "Catalog availability mode is set to Unavailable"
_ORDER: Mapping[str, int] = {ConditionType.PROGRESSING: 0, ConditionType.SERVING: 1}
_FIELDS_OF_CONTENT = ("resolvedSource", "urls", "lastUnpacked")


def status_of(catalog: Manifest, seen: Outcome, now: datetime) -> dict[str, Any]:
    """The whole `status` to store for `catalog`; equal to the present one when nothing was learned.

    Fields of the content stay as they are while nothing is served, so that another replica can fetch what they name;
    they go when the content was withdrawn.
    """
    current: Mapping[str, Any] = catalog.get("status") or {}
    generation = int((catalog.get("metadata") or {}).get("generation") or 0)
    wanted = [condition for condition in (progressing(seen), serving(seen)) if condition is not None]
    status = dict(current)
    if seen.withdrawn is not None:
        status = {name: value for name, value in current.items() if name not in _FIELDS_OF_CONTENT}
    elif seen.served is not None:
        status["resolvedSource"] = {"type": "Image", "image": {"ref": seen.served.ref}}
        status["urls"] = {"base": seen.served.base_url}
        status["lastUnpacked"] = seen.served.unpacked_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    stamped = stamp_all(wanted, current.get("conditions") or (), generation, now)
    # One order, whichever of ours were wanted this time: another one would be a change to write.
    status["conditions"] = sorted(stamped, key=lambda condition: _ORDER.get(condition["type"], len(_ORDER)))
    return status


def progressing(seen: Outcome) -> Condition | None:
    """Whether the wanted content could be fetched; `None` leaves the condition as it is."""
    match seen:
        case Outcome(failure=TerminalError() as error):
            return Condition(ConditionType.PROGRESSING, "False", error.reason, str(error))
        case Outcome(failure=error) if error is not None:
            return Condition(ConditionType.PROGRESSING, "True", Reason.RETRYING, str(error))
        case Outcome(withdrawn=Withdrawn.BY_USER):
            return Condition(ConditionType.PROGRESSING, "True", Reason.SUCCEEDED, _SET_UNAVAILABLE)
        case Outcome(served=content, is_pending=False) if content is not None:
            message = "Successfully unpacked and stored content from resolved source"
            return Condition(ConditionType.PROGRESSING, "True", Reason.SUCCEEDED, message)
        case _:
            return None


def serving(seen: Outcome) -> Condition:
    """Whether requests for the catalog are answered with content."""
    match seen:
        case Outcome(withdrawn=Withdrawn.BY_USER):
            return Condition(ConditionType.SERVING, "False", Reason.USER_SPECIFIED_UNAVAILABLE, _SET_UNAVAILABLE)
        case Outcome(withdrawn=Withdrawn.BY_DELETION):
            return Condition(ConditionType.SERVING, "False", Reason.UNAVAILABLE, "Catalog is being deleted")
        case Outcome(served=None):
            message = "Content of the catalog has not been unpacked yet"
            return Condition(ConditionType.SERVING, "False", Reason.UNAVAILABLE, message)
        case _:
            message = "Serving desired content from resolved source"
            return Condition(ConditionType.SERVING, "True", Reason.AVAILABLE, message)
