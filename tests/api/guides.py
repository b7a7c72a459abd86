"""Guides of `docs/` that are carried out on a cluster: every command of their `console` blocks, in their order.

What changes from run to run (ages, times, digests) is compared by its shape; a line `…` stands for any number of lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from devcluster.errors import DevClusterError
from devcluster.kubectl import find_kubectl
from devcluster.waiting import wait_for
from e2e.samples import mirror_conf
from e2e.world import World
from tests.documents import ROOT, Document, Example, fits

__all__ = ["Guide", "Shell"]

_LOOKS = ("kubectl get ", "kubectl auth ", "olm status", "olm plan", "olm explain", "olm resolve", "olm catalog ")
_POLICY = '{"default": [{"type": "insecureAcceptAnything"}]}'
_PLAN = re.compile(r"\b[0-9a-f]{32}\b")
_CHANGING = (
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "<time>"),
    (re.compile(r"[0-9a-f]{64}"), "<digest>"),
    (_PLAN, "<plan>"),
    (re.compile(r"\b(\d+[dhms]){1,2}\b( \(x\d+ over <?\w+>?\))?"), "<age>"),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True)
class Shell:
    """Runs command lines as the administrator of a cluster would, in the folder of the project.

    `instead` are command lines that stand for something that the test does.
    """

    world: World
    home: Path
    instead: Mapping[str, Callable[[], object]]

    def run(self, command: str) -> list[str]:
        """The lines that `command` prints, on both outputs."""
        if action := self.instead.get(command):
            action()
            return []
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=ROOT,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=150,
            check=False,
        )
        return [line.rstrip() for line in done.stdout.splitlines()]

    def _environment(self) -> dict[str, str]:
        folder = self.home / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "olm").write_text(f'#!/bin/sh\nexec {sys.executable} -m olm_cli "$@"\n')
        (folder / "olm").chmod(0o755)
        containers = self.home / ".config" / "containers"
        containers.mkdir(parents=True, exist_ok=True)
        (containers / "policy.json").write_text(_POLICY)
        (containers / "registries.conf").write_text(mirror_conf(self.world.registry))
        cluster = self.world.cluster
        return {
            **os.environ,
            **cluster.environment,
            "PATH": os.pathsep.join([str(folder), str(Path(find_kubectl()).parent), os.environ.get("PATH", "")]),
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "SSL_CERT_FILE": cluster.environment["DEVCLUSTER_CA"],
            "COLUMNS": "120",
            "NO_COLOR": "1",
        }


class Guide:
    """A page whose commands are to be carried out one after the other."""

    def __init__(self, name: str) -> None:
        self.examples = Document(name).commands()

    def follow(self, shell: Shell, before: Mapping[str, Callable[[], object]] = MappingProxyType({})) -> None:
        """Carry out every command; what only looks is repeated until it shows what the page says.

        `before` has what the test does before a command, where the page says it in words.
        """
        plans: dict[str, str] = {}
        for example in self.examples:
            if prepare := before.get(example.command):
                prepare()
            command = _with(plans, example.command)
            said = shell.run(command)
            if command.startswith(_LOOKS) and not _agree(example, said):
                said = _repeated(command, example, shell)
            # spelt out: pytest explains assertions in test files only
            assert _agree(example, said), "\n".join((f"$ {command}", *said, "instead of", *example.shown))
            plans |= zip(_plans(example.shown), _plans(said), strict=False)


def _with(plans: Mapping[str, str], command: str) -> str:
    """`command` with the hashes of this run for those of the page."""
    return _PLAN.sub(lambda found: plans.get(found[0], found[0]), command)


def _repeated(command: str, example: Example, shell: Shell) -> list[str]:
    """What `command` says once it says what is shown, or in the end."""
    said: list[str] = []

    def check() -> bool:
        said[:] = shell.run(command)
        return _agree(example, said)

    try:
        wait_for(check, f"{command} to print what is shown", timeout_s=60)
    except DevClusterError:
        return said  # whoever compares shows both
    return said


def _plans(lines: Iterable[str]) -> list[str]:
    """The hashes of plans in what a command printed: other runs have other ones."""
    return [found for line in lines for found in _PLAN.findall(line)]


def _agree(example: Example, said: list[str]) -> bool:
    return fits(tuple(map(_plain, example.shown)), tuple(map(_plain, said)))


def _plain(line: str) -> str:
    for pattern, word in _CHANGING:
        line = pattern.sub(word, line)
    return line.rstrip()
