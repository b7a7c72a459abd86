"""Events about a catalog: new content, failure, recovery. Each says what is new; the status says what is.

The time of the next try is only told here: in a condition it would change the status with every try.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol

from catalogd.polling import Attempt
from catalogd.reconcilers.examiner import Verdict
from catalogd.store import Snapshot
from olmv1.api.vocabulary import Reason
from olmv1.errors import TerminalError
from olmv1.manifests import Manifest

__all__ = ["Recorder", "Tidings"]


class Recorder(Protocol):
    """Takes Events without waiting."""

    def emit(
        self, about: Manifest, *, type_: Literal["Normal", "Warning"], reason: str, message: str, action: str
    ) -> None:
        """Say `message` about an object."""


class Tidings:
    """Compares two looks at an image and tells what a person would want to hear."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def tell(self, catalog: Manifest, last: Attempt | None, now: Attempt, snapshot: Snapshot | None) -> None:
        """Emit what differs between `last` and `now`; `snapshot` is what is served after it."""
        if now.failure is None:
            if snapshot is not None and _is_news(catalog, last, now):
                self._succeeded(catalog, last, now, snapshot)
            return
        is_same = last is not None and last.failure is not None and str(last.failure) == str(now.failure)
        if is_same and now.failures & (now.failures - 1):
            return  # of a streak the 1st, 2nd, 4th, 8th … are told
        self._failed(catalog, now)

    def warn(self, catalog: Manifest, warnings: Iterable[str]) -> None:
        """Emit what an image was accepted in spite of."""
        for warning in warnings:
            self._recorder.emit(
                catalog, type_="Warning", reason="ImageAccepted", message=_cut(warning), action="Unpack"
            )

    def report(self, catalog: Manifest, ref: str, verdict: Verdict) -> None:
        """Emit what is wrong with the content of `ref`, which is served all the same."""
        counts = [(verdict.errors, "error"), (verdict.warnings, "warning")]
        found = " and ".join(_counted(number, word) for number, word in counts if number)
        first = "; ".join(_cut(str(finding), _FINDING_LENGTH) for finding in verdict.first)
        others = verdict.errors + verdict.warnings - len(verdict.first)
        more = f"; and {others} more" if others else ""
        self._recorder.emit(
            catalog,
            type_="Warning" if verdict.errors else "Normal",
            reason="ContentFindings",
            message=f"{ref} is served in spite of {found}: {first}{more} (see olm catalog validate)",
            action="Validate",
        )

    def _succeeded(self, catalog: Manifest, last: Attempt | None, now: Attempt, snapshot: Snapshot) -> None:
        manifest = snapshot.manifest
        counts = f"{_counted(manifest.packages, 'package')}, {_counted(manifest.bundles, 'bundle')}"
        message = f"serving {now.resolved_ref}: {counts}"
        if last is not None and last.failure is not None:
            message += f"; recovered after {last.failures} failed tries"
        self._recorder.emit(catalog, type_="Normal", reason=Reason.SUCCEEDED, message=message, action="Unpack")

    def _failed(self, catalog: Manifest, now: Attempt) -> None:
        if isinstance(now.failure, TerminalError):
            reason, ending = now.failure.reason, "not tried again before the spec or the digest changes"
        else:
            reason, ending = Reason.RETRYING, f"try {now.failures}, the next one in {now.retry_in_s or 0:.0f} s"
        message = f"{_cut(str(now.failure))} ({ending})"
        self._recorder.emit(catalog, type_="Warning", reason=reason, message=message, action="Unpack")


def _is_news(catalog: Manifest, last: Attempt | None, now: Attempt) -> bool:
    if last is not None:
        return last.failure is not None or last.resolved_ref != now.resolved_ref
    source = (catalog.get("status") or {}).get("resolvedSource") or {}
    return (source.get("image") or {}).get("ref") != now.resolved_ref


_FINDING_LENGTH = 220  # characters: three of them, the reference and the counts fit the 1024 bytes of an Event


def _cut(text: str, length: int = 800) -> str:
    """Room for the ending in the 1024 bytes of an Event."""
    return text if len(text) <= length else f"{text[:length]}…"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
