"""docs/crd-upgrades.md shows what `olm crd-check` prints: its `console` blocks are run on its `yaml` block."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.olm_command import olm

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "crd-upgrades.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_documented_check_prints_what_is_shown(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [lanterns] = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    (tmp_path / "lanterns.yaml").write_text(lanterns)
    program, *arguments = shlex.split(command.replace("lanterns.yaml", str(tmp_path / "lanterns.yaml")))
    said = olm(*arguments)
    assert (program, said.out + said.err) == ("olm", shown)
