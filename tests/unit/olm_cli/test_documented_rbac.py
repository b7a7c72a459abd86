"""docs/rbac.md shows what `olm rbac` prints: its `console` blocks are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.olm_command import olm

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "rbac.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_documented_rights_are_what_is_written(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`…` stands for what is left out."""
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    said = olm(*arguments)
    parts = shown.strip("…\n").split("…\n")
    assert (program, said.code, said.err) == ("olm", 0, "")
    assert [part in said.out for part in parts] == [True] * len(parts)
    if "…" not in shown:
        assert said.out == shown
