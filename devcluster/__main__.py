"""`python -m devcluster tools|up|down|status|run -- CMD`: a control plane on this machine by hand."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devcluster.binaries import ensure
from devcluster.cluster import Cluster
from devcluster.components import Components, catalogd, operator_controller
from devcluster.daemon import DEFAULT_STATE_DIR, Record, bring_up, is_alive, record_of, serve, take_down
from devcluster.errors import DevClusterError
from devcluster.kubectl import find_kubectl


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 failed or not running, 2 wrong usage, the command's own code for `run`."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except DevClusterError as failure:
        print(f"devcluster: {failure}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace) -> int:
    match options.command:
        case "up":
            _print_usage(bring_up(options.state, with_components=options.components), options.state)
        case "serve":
            serve(options.state, with_components=options.components)
        case "down":
            print("stopped" if take_down(options.state) else f"no cluster runs in {options.state}")
        case "status":
            return _status(options.state)
        case "tools":
            print(f"the programs are in {Path(ensure().path('kube-apiserver')).parent}")
        case "run":
            return _run_command(options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m devcluster", description="a Kubernetes control plane on this machine"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    texts = {
        "tools": "build the programs of the control plane where they are missing, and print where they are",
        "up": "start a cluster in the background and print how to use it",
        "down": "stop it",
        "status": "tell which of its programs run",
        "serve": "run a cluster in the foreground until a signal",
        "run": "start a cluster, run CMD with KUBECONFIG set, stop it",
    }
    for name, text in texts.items():
        command = commands.add_parser(name, help=text, description=text)
        if name != "tools":
            default = None if name == "run" else DEFAULT_STATE_DIR
            command.add_argument("--state", type=lambda text: Path(text).resolve(), default=default, metavar="DIR")
        if name in ("up", "serve", "run"):
            command.add_argument("--components", action="store_true", help="with catalogd and operator-controller")
        if name == "run":
            command.add_argument("argv", nargs="+", metavar="CMD", help="the command, after --")
    return parser


def _print_usage(record: Record, state_dir: Path) -> None:
    print(f"the cluster is ready; logs are in {state_dir / 'logs'}\n")
    for name, value in record.environment.items():
        print(f"export {name}={value}")
    again = "" if state_dir == DEFAULT_STATE_DIR else f" --state {state_dir}"
    print(f"\nstop it with: python -m devcluster down{again}")


def _status(state_dir: Path) -> int:
    record = record_of(state_dir)
    if record is None:
        print(f"no cluster runs in {state_dir}")
        return 1
    for name, pid in record.programs.items():
        print(f"{name:26} {'running' if is_alive(pid) else 'ended':8} {pid}")
    print(f"\nexport KUBECONFIG={record.environment['KUBECONFIG']}")
    return 0 if all(is_alive(pid) for pid in record.programs.values()) else 1


def _run_command(options: argparse.Namespace) -> int:
    argv = options.argv[1:] if options.argv[0] == "--" else options.argv
    with Cluster.start(options.state) as cluster:
        if options.components:
            cluster.install_olm()
            Components(catalogd(cluster), operator_controller(cluster)).start()
        # kubectl may be in the environment of this Python only
        path = os.pathsep.join([os.environ.get("PATH", ""), str(Path(find_kubectl()).parent)])
        return _child(argv, {**os.environ, **cluster.environment, "PATH": path})


def _child(argv: Sequence[str], environment: dict[str, str]) -> int:
    """Run a command to its end: Ctrl-C on the terminal reaches it directly, SIGTERM is handed on."""
    try:
        child = subprocess.Popen(argv, env=environment)
    except OSError as failure:
        raise DevClusterError(f"cannot run {argv[0]}: {failure.strerror}") from failure
    with child:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        code = child.wait()
    return 128 - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main())
