"""docs/simulate.md shows what `olm simulate` prints: its `console` blocks are run on its `yaml` block."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.olm_command import olm

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "simulate.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_documented_simulation_prints_what_is_shown(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [extensions] = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    (tmp_path / "extensions.yaml").write_text(extensions)
    program, *arguments = shlex.split(command.replace("extensions.yaml", str(tmp_path / "extensions.yaml")))
    said = olm(*arguments)
    assert (program, said.out, said.err) == ("olm", shown, "")
