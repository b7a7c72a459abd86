"""Becomes helm, with nothing of this process left to it: `python -I -S launch.py FOLDER HELM ARGUMENT…`.

Run by `helm` for every rendering. It makes a process group of its own, whose number it writes to FOLDER/pid, bounds
what a hostile chart can use, gives helm an environment in which it knows no cluster, repository, plugin or login, sends
its output to files in FOLDER, and replaces itself. An argument `@FILE` stands for the lines of FOLDER/FILE: the API
versions of a large cluster are longer than one command line of a shell.

It must import nothing but the standard library.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Sequence

CPU_S = 120
"""More than the wall clock allows; it ends a helm whose controller was killed."""

DATA_BYTES = 1024 * 1024 * 1024
"""Memory of helm: real charts need 100 MiB."""

ADDRESS_BYTES = 2560 * 1024 * 1024
"""Memory of helm as addresses: Linux lets a single request of twice `DATA_BYTES` through now and then. A Go program
has 1.1 GiB of addresses before it does anything."""

OUTPUT_BYTES = 16 * 1024 * 1024
"""What helm may print, and so the largest file that it may write: 1,000 objects of 10 MB are expected."""


def launch(folder: str, helm: str, arguments: Sequence[str]) -> None:
    """Become helm; returns never."""
    os.setsid()
    with open(os.open(os.path.join(folder, "pid"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(str(os.getpid()))
    os.umask(0o077)
    _lower(resource.RLIMIT_CPU, CPU_S)
    _lower(resource.RLIMIT_DATA, DATA_BYTES)
    _lower(resource.RLIMIT_AS, ADDRESS_BYTES)
    _lower(resource.RLIMIT_FSIZE, OUTPUT_BYTES)
    _lower(resource.RLIMIT_CORE, 0)
    for name, number in (("out", 1), ("err", 2)):
        os.dup2(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    expanded = [item for argument in arguments for item in _expanded(folder, argument)]
    os.execve(helm, [helm, *expanded], _environment(folder))  # noqa: S606 - no shell is wanted


def _expanded(folder: str, argument: str) -> Iterator[str]:
    if not argument.startswith("@"):
        yield argument
        return
    with open(os.path.join(folder, argument[1:])) as file:
        yield from file.read().splitlines()


def _lower(kind: int, limit: int) -> None:
    hard = resource.getrlimit(kind)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (limit, limit))


def _environment(folder: str) -> dict[str, str]:
    nowhere = os.path.join(folder, "none")
    places = ("CACHE_HOME", "CONFIG_HOME", "DATA_HOME", "PLUGINS", "REPOSITORY_CACHE", "REPOSITORY_CONFIG")
    return {
        **{f"HELM_{place}": nowhere for place in places},
        "HELM_REGISTRY_CONFIG": os.path.join(nowhere, "registry.json"),
        "HELM_NO_PLUGINS": "1",
        "DOCKER_CONFIG": nowhere,
        "KUBECONFIG": nowhere,
        "HOME": folder,
        "TMPDIR": folder,
        "PATH": nowhere,
        "TZ": "UTC",
    }


if __name__ == "__main__":
    launch(sys.argv[1], sys.argv[2], sys.argv[3:])
