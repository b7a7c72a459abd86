"""The process `operator-controller`: settings and logs, then `wiring.run`."""

from __future__ import annotations

from olmv1.daemon import run_daemon
from operator_controller.settings import Settings
from operator_controller.wiring import run

__all__ = ["main"]


def main() -> None:
    """Run the controller until SIGTERM or SIGINT; exit code 1 when it cannot start or lost its lease."""
    run_daemon(Settings, "operator-controller", run)


if __name__ == "__main__":
    main()
