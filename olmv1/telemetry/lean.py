"""structlog without rich. Called by the `main` of each component, before anything else imports structlog."""

from __future__ import annotations

import importlib
import sys

__all__ = ["import_structlog"]


def import_structlog() -> None:
    """Import structlog as if rich were not installed, which the components do not use.

    structlog imports rich where it finds it, for tracebacks that `logs` never prints: 66 modules, a tenth of the time
    that importing catalogd takes. Whoever imports rich later gets it.
    """
    if "rich" in sys.modules:
        importlib.import_module("structlog")
        return
    sys.modules["rich"] = None  # type: ignore[assignment]  # how Python marks a module that cannot be imported
    try:
        importlib.import_module("structlog")
    finally:
        del sys.modules["rich"]
