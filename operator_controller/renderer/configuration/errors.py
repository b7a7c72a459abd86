"""The error of a configuration that the bundle does not take."""

from __future__ import annotations

from olmv1.api.vocabulary import Reason
from olmv1.errors import TerminalError

__all__ = ["ConfigurationError"]


class ConfigurationError(TerminalError):
    """`spec.config` must change before the extension can be installed; reason `InvalidConfiguration`."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=Reason.INVALID_CONFIGURATION)
