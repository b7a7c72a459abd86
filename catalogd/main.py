"""The process `catalogd`."""

from __future__ import annotations

import gc
import json

__all__ = ["main"]


def main() -> None:
    """Run catalogd until SIGTERM or SIGINT; `catalogd version` prints its version in quotes, as the reference does."""
    # What importing makes stays for good: collecting meanwhile finds nothing. `run_daemon` switches it on again.
    gc.disable()
    from olmv1.telemetry.lean import import_structlog  # noqa: PLC0415

    import_structlog()
    from catalogd.settings import Settings  # noqa: PLC0415
    from catalogd.wiring import run  # noqa: PLC0415
    from olmv1.daemon import run_daemon  # noqa: PLC0415
    from olmv1.settings.load import version_text  # noqa: PLC0415

    run_daemon(Settings, "catalogd", run, version=lambda: json.dumps(version_text()))


if __name__ == "__main__":
    main()
