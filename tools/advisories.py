"""`python -m tools.advisories`: asks the package index for known vulnerabilities of the locked packages.

The index is the one that pip is configured for. Where it does not offer advisories, or cannot be reached, nothing is
known: that is said, and no failure. A vulnerability that is not in `IGNORED` is one. Answers are kept for a day.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tools.index_client import Index, NotOfferedError, configured_index
from tools.locked import Pin, pins

__all__ = ["IGNORED", "Advisory", "Answers", "advisories_in", "ask", "report"]

_ROOT: Final = Path(__file__).parents[1]
_DEADLINE_S: Final = 30.0
_FRESH_S: Final = 24 * 3600.0
_AT_ONCE: Final = 8

IGNORED: Final[Mapping[str, str]] = {}
"""Advisories that do not concern this project: any identifier of one, to the reason."""


@dataclass(frozen=True, slots=True)
class Advisory:
    """One known vulnerability: all its identifiers, the versions that mend it, what it is in a few words."""

    names: tuple[str, ...]
    fixed_in: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """What the index told: advisories by package; packages that it did not answer for, each with the reason."""

    known: Mapping[Pin, Sequence[Advisory]]
    unknown: Mapping[Pin, str]


def advisories_in(document: object) -> Sequence[Advisory]:
    """The advisories in what the index says of one version; those that were withdrawn are left out.

    Raises:
        NotOfferedError: it says nothing of vulnerabilities.
    """
    listed = document.get("vulnerabilities") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise NotOfferedError("the answer has no list of vulnerabilities")
    return [_advisory(each) for each in listed if not (isinstance(each, dict) and each.get("withdrawn"))]


def ask(wanted: Sequence[Pin], index: Index, cache: Path, deadline_s: float = _DEADLINE_S) -> Answers:
    """What the index knows, or knew less than a day ago.

    One package is asked for first: where that fails, the others are not asked for. `deadline_s` bounds it all.
    """
    kept = _read(cache)
    told: dict[Pin, object] = {pin: kept[key] for pin in wanted if (key := _key(pin)) in kept}
    missing = [pin for pin in wanted if pin not in told]
    ends = time.monotonic() + deadline_s
    unknown: dict[Pin, str] = {}
    for group in (missing[:1], missing[1:]):
        if unknown:
            unknown |= dict.fromkeys(group, unknown[missing[0]])
            break
        found, failed = _ask_each(group, index, ends)
        told |= found
        unknown |= failed
    _write(cache, {_key(pin): told[pin] for pin in wanted if pin in told})
    return Answers({pin: advisories_in(told[pin]) for pin in wanted if pin in told}, unknown)


def report(answers: Answers, ignored: Mapping[str, str] = IGNORED) -> tuple[int, str]:
    """Exit code and text: 1 when a vulnerability is known that is not ignored."""
    lines: list[str] = []
    unused, open_ones = set(ignored), 0
    for pin, advisory in ((pin, advisory) for pin, found in answers.known.items() for advisory in found):
        reasons = [f"{name}: {ignored[name]}" for name in advisory.names if name in ignored]
        unused -= set(advisory.names)
        open_ones += not reasons
        lines.append(_line(pin, advisory, reasons))
    if answers.unknown:
        names = ", ".join(pin.name for pin in answers.unknown) if answers.known else "every package"
        reasons = sorted(set(answers.unknown.values()))
        lines.append(f"SKIPPED: advisories are not known for {names}: {'; '.join(reasons)}")
    elif unused:
        lines += [f"{name} is ignored, and no locked package has it any more" for name in sorted(unused)]
    if answers.known:
        lines.append(f"advisories: {len(answers.known)} packages asked for, {open_ones} vulnerabilities to look at")
    return int(open_ones > 0), "\n".join(lines) + "\n"


def _ask_each(group: Sequence[Pin], index: Index, ends: float) -> tuple[dict[Pin, object], dict[Pin, str]]:
    """Documents and failures of a group, until `ends` on the monotonic clock."""
    pool = ThreadPoolExecutor(_AT_ONCE)
    asked = {pool.submit(_checked, index.about, pin): pin for pin in group}
    done, late = wait(asked, timeout=max(0.0, ends - time.monotonic()))
    pool.shutdown(wait=False, cancel_futures=True)
    found: dict[Pin, object] = {}
    failed = {asked[each]: "no answer in time" for each in late}
    for each in done:
        try:
            found[asked[each]] = each.result()
        except (OSError, NotOfferedError, ValueError) as problem:
            failed[asked[each]] = index.without_address(problem)
    return found, {pin: failed[pin] for pin in group if pin in failed}


def _checked(about: Callable[[Pin], object], pin: Pin) -> object:
    """The part of the answer that is kept, when it has one."""
    document = about(pin)
    advisories_in(document)
    return {"vulnerabilities": document["vulnerabilities"]} if isinstance(document, dict) else {}


def _advisory(each: object) -> Advisory:
    fields: Mapping[str, Any] = each if isinstance(each, dict) else {}
    names = dict.fromkeys([*_texts([fields.get("id")]), *_texts(fields.get("aliases"))])
    summary = next(_texts([fields.get("summary"), fields.get("details")]), "")
    return Advisory(tuple(names) or ("unnamed",), tuple(_texts(fields.get("fixed_in"))), summary)


def _texts(values: object) -> Iterator[str]:
    """The texts of a list, fit for a line of a terminal whatever the index sends."""
    for value in values if isinstance(values, list) else ():
        if isinstance(value, str):
            words = "".join(each if each.isprintable() else " " for each in value).split()
            yield from [" ".join(words)] if words else []


def _line(pin: Pin, advisory: Advisory, reasons: Sequence[str]) -> str:
    text = f"{pin.name} {pin.version}: {', '.join(advisory.names)}"
    if reasons:
        return f"{text}: ignored ({'; '.join(reasons)})"
    mended = f", mended in {', '.join(advisory.fixed_in)}" if advisory.fixed_in else ""
    return f"{text}{mended}: {advisory.summary[:200]}"


def _key(pin: Pin) -> str:
    return f"{pin.name}=={pin.version}"


def _read(cache: Path) -> Mapping[str, object]:
    """What is kept and fresh; a file that is broken, or of another shape, holds nothing."""
    try:
        if time.time() - cache.stat().st_mtime > _FRESH_S:
            return {}
        kept = json.loads(cache.read_text(encoding="utf-8"))
        for document in kept.values():
            advisories_in(document)
    except (OSError, ValueError, AttributeError, NotOfferedError):
        return {}
    return dict(kept)


def _write(cache: Path, documents: Mapping[str, object]) -> None:
    """Keep answers; those that were kept before do not get younger by it."""
    before = _read(cache)
    if documents.keys() <= before.keys():
        return
    since = cache.stat().st_mtime if before else time.time()
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(documents), encoding="utf-8")
    os.utime(cache, (since, since))


def main() -> int:
    """Ask for every package of the lock, and print what is known."""
    wanted = pins(_ROOT / "requirements.lock")
    try:
        index = configured_index(os.environ)
    except (OSError, subprocess.SubprocessError, NotOfferedError) as problem:
        answers = Answers({}, dict.fromkeys(wanted, str(problem)))
    else:
        answers = ask(wanted, index, _ROOT / ".tools" / "advisories.json")
    code, text = report(answers)
    sys.stdout.write(text)
    return code


if __name__ == "__main__":
    ended = main()
    sys.stdout.flush()
    # a thread that still waits for an answer must not hold the process
    os._exit(ended)
