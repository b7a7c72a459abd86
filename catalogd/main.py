"""The process `catalogd`."""

from __future__ import annotations

import json

from catalogd.settings import Settings
from catalogd.wiring import run
from olmv1.daemon import run_daemon
from olmv1.settings.load import version_text

__all__ = ["main"]


def main() -> None:
    """Run catalogd until SIGTERM or SIGINT; `catalogd version` prints its version in quotes, as the reference does."""
    run_daemon(Settings, "catalogd", run, version=lambda: json.dumps(version_text()))


if __name__ == "__main__":
    main()
