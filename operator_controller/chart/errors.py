"""The errors of this room: a chart that cannot be installed as it is, and values that it does not take."""

from __future__ import annotations

from olmv1.api.vocabulary import Reason
from olmv1.errors import TerminalError

__all__ = ["ChartError", "ValuesError"]


class ChartError(TerminalError):
    """A finding in the chart itself, or in how it fits the cluster; the condition says `Blocked`."""


class ValuesError(TerminalError):
    """`spec.config.inline` must change before the chart can be rendered; reason `InvalidConfiguration`."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=Reason.INVALID_CONFIGURATION)
