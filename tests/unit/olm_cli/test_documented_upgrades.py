"""docs/cluster-upgrades.md shows what `olm check-upgrade` prints: its `console` blocks are run on its `yaml` blocks."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.olm_command import olm

TEXT = (Path(__file__).parents[3] / "docs" / "cluster-upgrades.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n\$ (olm .*?)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_documented_check_prints_what_is_shown(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump, catalog = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    (tmp_path / "dump.yaml").write_text(dump)
    (tmp_path / "shop.yaml").write_text(catalog)
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)
    said = olm(*arguments)
    assert (program, said.out, said.err) == ("olm", shown, "")


def test_every_example_is_run() -> None:
    assert len(BLOCKS) == 3
