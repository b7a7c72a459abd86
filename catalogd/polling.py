"""When the image of a catalog is looked at again. Pure: what is wanted, what was tried, the time; no clock of its own.

The reconciler keeps one `Attempt` per catalog in memory. Losing it costs one look at the registry at most.
Rule: clustercatalog.md 7, 13.5, 13.7 to 13.9.
"""

from __future__ import annotations

from dataclasses import dataclass

from olmv1.errors import OlmError

__all__ = ["Attempt", "Wanted", "first_poll_factor", "is_due", "later_poll_factor", "next_at_s"]

_JITTER = 0.1


@dataclass(frozen=True, slots=True)
class Wanted:
    """The part of a ClusterCatalog that decides about fetching.

    `poll_interval_s` is `None` without polling; `poll_now` is the value of the annotation that asks for a look at once.
    """

    ref: str
    generation: int
    poll_interval_s: float | None = None
    poll_now: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last look at an image: when (seconds of the caller's clock), what for, and how it went.

    `resolved_ref`: canonical reference found, empty when it did not get that far; `failures`: failed looks in a row;
    `retry_in_s`: delay that was drawn for the next try, `None` when only a change or the next poll may heal it.
    """

    wanted: Wanted
    at_s: float
    poll_factor: float
    resolved_ref: str = ""
    failure: OlmError | None = None
    failures: int = 0
    retry_in_s: float | None = None


def is_due(wanted: Wanted, last: Attempt | None, now_s: float, *, has_content: bool) -> bool:
    """Whether to look at the image now.

    That is: never looked at; another reference; asked for; content lost; the spec changed while failing; or the time of
    the next try or poll has come.
    """
    if last is None or wanted.ref != last.wanted.ref or wanted.poll_now != last.wanted.poll_now:
        return True
    if last.failure is not None and wanted.generation != last.wanted.generation:
        return True
    if last.failure is None and not has_content:
        return True
    due_s = next_at_s(wanted, last)
    return due_s is not None and due_s <= now_s


def next_at_s(wanted: Wanted, last: Attempt) -> float | None:
    """When to look again, on the clock of `last.at_s`; `None`: only after a change.

    A failure that may pass has its own delay; everything else waits for the poll interval, if there is one.
    """
    if last.retry_in_s is not None:
        return last.at_s + last.retry_in_s
    if wanted.poll_interval_s is None:
        return None
    return last.at_s + wanted.poll_interval_s * last.poll_factor


def first_poll_factor(draw: float) -> float:
    """The part of the interval before the first poll; `draw` in [0, 1) spreads catalogs that were created together."""
    return _JITTER + (1.0 - _JITTER) * draw


def later_poll_factor(draw: float) -> float:
    """The interval and up to a tenth of it, so that equal intervals drift apart."""
    return 1.0 + _JITTER * draw
