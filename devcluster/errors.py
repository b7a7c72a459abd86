"""The error of this room: something on this machine is not as a development cluster needs it."""

from __future__ import annotations

from olmv1.errors import TerminalError

__all__ = ["DevClusterError"]


class DevClusterError(TerminalError):
    """A program is missing, did not start or did not answer; the message ends with the tail of its log, if any."""
