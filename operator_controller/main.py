"""The process `operator-controller`: settings and logs, then `wiring.run`."""

from __future__ import annotations

import gc

__all__ = ["main"]


def main() -> None:
    """Run the controller until SIGTERM or SIGINT; exit code 1 when it cannot start or lost its lease."""
    # What importing makes stays for good: collecting meanwhile finds nothing. `run_daemon` switches it on again.
    gc.disable()
    from olmv1.telemetry.lean import import_structlog  # noqa: PLC0415

    import_structlog()
    from olmv1.daemon import run_daemon  # noqa: PLC0415
    from operator_controller.settings import Settings  # noqa: PLC0415
    from operator_controller.wiring import run  # noqa: PLC0415

    run_daemon(Settings, "operator-controller", run)


if __name__ == "__main__":
    main()
