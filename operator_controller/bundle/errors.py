"""The error of this room: a bundle that can never be installed as it is."""

from __future__ import annotations

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
