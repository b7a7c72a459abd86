"""What is wrong with the text of a range of either language."""

from __future__ import annotations

__all__ = ["RangeError"]


class RangeError(ValueError):
    """A text that is no range; `str(error)` is the parser's text.

    `position` counts characters from 0 to the first one that cannot be read; `None` when no single one is to blame.
    """

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position
