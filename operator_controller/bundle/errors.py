"""The error of this room: a bundle that can never be installed as it is."""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.errors import TerminalError

__all__ = ["BundleError"]


class BundleError(TerminalError):
    """A finding in the bundle itself; only another bundle can succeed.

    `words` is the text that the specification quotes; `place` (object and path inside a file) is added in brackets.
    """

    def __init__(self, words: str, *, place: str = "") -> None:
        super().__init__(f"{words} ({place})" if place else words)
        self.words = words
        self.place = place

    @classmethod
    def joined(cls, findings: Sequence[tuple[str, str]]) -> BundleError:
        """One error for several findings, each with its words and its place, one per line."""
        lines = [str(cls(words, place=place)) for words, place in findings]
        error = cls("\n".join(lines))
        error.words = "\n".join(words for words, _ in findings)
        return error
