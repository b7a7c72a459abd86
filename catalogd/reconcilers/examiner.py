"""What is wrong with the content that is served: looked for in the background, one catalog at a time.

Nothing waits for it, and nothing is refused for it: an Event and a series say what was found. Rule: fbc.md 16.6.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalogd.store import Snapshot, Store
from olmv1.fbc.validation import FileLines, Finding, Severity, examine_lines
from olmv1.telemetry.logs import get_logger

__all__ = ["Examiner", "Verdict"]

_log = get_logger(__name__)

_KEPT = 100
"""Findings of each severity that are kept until the first few are chosen; all are counted."""
_TOLD = 3
_LONGEST_LINE_BYTES = 8 * 1024 * 1024
"""A parser that reads one blob cannot be interrupted; real blobs stay below 2 MiB."""
_SLICE_S = 0.002


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many findings one content has, and the first of them, errors before warnings."""

    content_digest: str
    errors: int
    warnings: int
    first: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class _Question:
    """One content to look at: where its lines come from, and who is told."""

    snapshot: Snapshot
    files: Sequence[FileLines]
    tell: Callable[[Verdict], None] | None


class Examiner:
    """Knows what is wrong with the content of each catalog, a while after it is served."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, _Question] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._woken = asyncio.Event()

    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdicts on what is served now, by catalog; content that was not looked at yet has none."""
        served = self._store.manifests()
        verdicts = self._verdicts.copy()
        return {
            name: verdict
            for name, verdict in verdicts.items()
            if name in served and served[name].content_digest == verdict.content_digest
        }

    def examine(
        self, name: str, *, files: Sequence[FileLines] = (), tell: Callable[[Verdict], None] | None = None
    ) -> None:
        """Look soon at what is served for a catalog; `tell` hears of findings, unless this content had them before."""
        snapshot = self._store.snapshot(name)
        if snapshot is not None:
            self._waiting[name] = _Question(snapshot, files, tell)
            self._woken.set()

    def examine_all(self) -> None:
        """Look soon at everything that is served."""
        for name in self._store.manifests():
            self.examine(name)

    async def run(self) -> None:
        """Look at one content after the other until cancelled."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            while self._waiting:
                name = next(iter(self._waiting))
                await self._answer(name, self._waiting.pop(name))
            gone = self._verdicts.keys() - self._store.manifests().keys()
            for name in gone:
                del self._verdicts[name]

    async def _answer(self, name: str, question: _Question) -> None:
        digest = question.snapshot.manifest.content_digest
        known = self._verdicts.get(name)
        if known is not None and known.content_digest == digest:
            return
        stopped = threading.Event()
        began = time.monotonic()

        def is_wanted() -> bool:
            return not stopped.is_set() and self._store.snapshot(name) is question.snapshot

        try:
            verdict = await asyncio.to_thread(_verdict, question, is_wanted)
        except _NotExaminedError as reason:
            _log.info("catalog not examined", catalog=name, why=str(reason))
            return
        except Exception:
            # Content that the validator stumbles over must not take down what serves it, at every start again.
            _log.exception("catalog not examined", catalog=name)
            return
        finally:
            stopped.set()
        self._verdicts[name] = verdict
        counts = {"errors": verdict.errors, "warnings": verdict.warnings}
        _log.info("catalog examined", catalog=name, **counts, duration_s=round(time.monotonic() - began, 3))
        if verdict.first and question.tell is not None:
            question.tell(verdict)


class _NotExaminedError(Exception):
    """The content was not looked at to its end; `str(error)` says why."""


def _verdict(question: _Question, is_wanted: Callable[[], bool]) -> Verdict:
    """Look at one content; runs in a worker thread."""
    lines = _paced(question.snapshot.lines(), is_wanted)
    report = examine_lines(lines, question.files, keeps=_KEPT)
    ranked = sorted(report.findings, key=lambda finding: finding.severity is not Severity.ERROR)
    return Verdict(question.snapshot.manifest.content_digest, report.errors, report.warnings, tuple(ranked[:_TOLD]))


def _paced(lines: Iterable[bytes], is_wanted: Callable[[], bool]) -> Iterator[bytes]:
    """The lines, handed out so that whoever takes them is busy no more than half of the time."""
    began = time.monotonic()
    for line in lines:
        if len(line) > _LONGEST_LINE_BYTES:
            raise _NotExaminedError(f"a blob has {len(line)} bytes, at most {_LONGEST_LINE_BYTES} are looked at")
        yield line
        used_s = time.monotonic() - began
        if used_s >= _SLICE_S:
            if not is_wanted():
                raise _NotExaminedError("it is not served any more")
            time.sleep(used_s)
            began = time.monotonic()
