"""The errors of the domain: what they mean to the queue and to the user.

Every room raises one of these two classes (or a subclass of its own); everything else that escapes is a bug of ours.
`str(error)` is the message that a user reads: no class name, no secret, no address that changes by itself.
"""

from __future__ import annotations

__all__ = ["OlmError", "RetryableError", "TerminalError"]


class OlmError(Exception):
    """Something a user can read and act on; `str(error)` is the whole message."""


class TerminalError(OlmError):
    """The same inputs can never succeed: nothing is retried until an input changes.

    `reason` becomes the reason of the condition (`Blocked` unless the specification names another).
    """

    def __init__(self, message: str, *, reason: str = "Blocked") -> None:
        super().__init__(message)
        self.reason = reason


class RetryableError(OlmError):
    """The world may change without telling us: the work is retried.

    `retry_after_s`: seconds until the next try when the other side named them; `None` leaves it to the backoff.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
