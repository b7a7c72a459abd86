"""docs/tls.md names every cipher and curve that a flag may name, and shows what the processes say of others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from olmv1.tls.profiles import CIPHERS, CURVES
from tests.documents import Document

PAGE = Document("tls.md")
ROOT = Path(__file__).parents[3]
MODULES = {"catalogd": "catalogd.main", "operator-controller": "operator_controller.main"}
SHOWN = [
    tuple(part.rstrip("\n").split("\n", 1))
    for block in PAGE.blocks("console")
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


def test_every_name_is_listed() -> None:
    _, _, table = PAGE.text.partition("| for | known names |")
    names = set(re.findall(r"`(\w+)`", table.partition("\n\n")[0]))
    assert names - {"_SHA256"} == CIPHERS.keys() | CURVES.keys()


@pytest.mark.parametrize(("command", "answer"), SHOWN)
def test_unknown_names_are_refused_as_shown(command: str, answer: str) -> None:
    program, *flags = command.split()
    done = subprocess.run(
        [sys.executable, "-m", MODULES[program], *flags],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.rstrip("\n")) == (1, "", answer)
