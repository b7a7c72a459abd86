"""`.indexignore`: which files of a catalog are left out.

Pure: works on paths as text, so it serves a walk on disk and the members of an image layer alike. Rule: fbc.md 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import re2

from olmv1.fbc.errors import FbcError, shown

__all__ = ["IGNORE_FILE", "MAX_PATTERNS", "IgnoreStack"]

IGNORE_FILE = ".indexignore"

MAX_PATTERNS = 1000
"""Patterns in one file: every file of the catalog is held against each of them. Real catalogs have a handful."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    expression: Any  # compiled by RE2: no pattern of a catalog can make it slow
    ignores: bool


@dataclass(frozen=True, slots=True)
class IgnoreStack:
    """The pattern lists of a catalog, each valid at and below its own directory.

    Paths are relative to the root of the catalog, with `/` between their parts. Of all patterns that match, the last
    one decides, in the order outer directory to inner directory, first line to last line. So `!pattern` re-includes a
    file even below a directory that is ignored, which git would not do.
    """

    _lists: Mapping[str, tuple[_Pattern, ...]] = field(default_factory=dict)

    @classmethod
    def parse(cls, files: Mapping[str, bytes]) -> IgnoreStack:
        """The stack of all `.indexignore` files of a catalog: path of the file → its content.

        Raises: FbcError when a file holds more than `MAX_PATTERNS` patterns.
        """
        return cls({_directory(path): _parse(path, content) for path, content in files.items()})

    def with_file(self, path: str, content: bytes) -> IgnoreStack:
        """This stack and one more `.indexignore` file. Raises: as `parse`."""
        return IgnoreStack({**self._lists, _directory(path): _parse(path, content)})

    def ignores(self, path: str) -> bool:
        """Whether the file at `path` is left out; asked for files only, never for directories."""
        verdict = False
        for directory in _directories(path):
            patterns = self._lists.get(directory, ())
            # Names that are no text match as text with question marks in it.
            inner = path[len(directory) :].lstrip("/").encode(errors="replace")
            for pattern in reversed(patterns):
                if pattern.expression.search(inner):
                    verdict = pattern.ignores
                    break
        return verdict


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _directories(path: str) -> Iterator[str]:
    """The root and every directory on the way to `path`, outermost first."""
    yield ""
    for match in re.finditer("/", path):
        yield path[: match.start()]


def _parse(path: str, content: bytes) -> tuple[_Pattern, ...]:
    lines = [line.strip() for line in content.decode("utf-8-sig", errors="replace").split("\n")]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) > MAX_PATTERNS:
        raise FbcError(f"{shown(path)}: expected at most {MAX_PATTERNS} patterns, found {len(lines)}")
    return tuple(pattern for line in lines if (pattern := _compiled(line)) is not None)


def _compiled(line: str) -> _Pattern | None:
    """The pattern of one line; `None` for one that can match nothing, as gitignore has it (`[z-a]`)."""
    # Here because it takes as long to import as the rest of the room, and few catalogs have such a file.
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    try:
        expression, ignores = GitIgnoreSpecPattern.pattern_to_regex(line)
        if expression is None or ignores is None:
            return None
        return _Pattern(re2.compile(expression, _QUIET), ignores)
    except (ValueError, re2.error):
        return None


def _quiet() -> Any:
    options = re2.Options()
    options.log_errors = False
    return options


_QUIET = _quiet()
