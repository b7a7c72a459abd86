"""The documents show what the commands print: every `console` block is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from olm_cli import commands
from tests.documents import ROOT, Document, Example

COMMANDS, EXPLAINED, RIGHTS = Document("commands.md"), Document("explain.md"), Document("rbac.md")
CRDS, SIMULATIONS, UPGRADES = Document("crd-upgrades.md"), Document("simulate.md"), Document("cluster-upgrades.md")
SAMPLES = "config"


def named(value: object) -> str:
    return value.command if isinstance(value, Example) else ""


@pytest.mark.parametrize("example", [*COMMANDS.examples(), *EXPLAINED.examples(), *RIGHTS.examples()], ids=named)
def test_documented_command_prints_what_is_shown(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    example.check(ROOT, monkeypatch)


@pytest.mark.parametrize(
    ("example", "document", "names"),
    [
        *((example, CRDS, ("lanterns.yaml",)) for example in CRDS.examples()),
        *((example, SIMULATIONS, ("extensions.yaml",)) for example in SIMULATIONS.examples()),
        *((example, UPGRADES, ("dump.yaml", "shop.yaml")) for example in UPGRADES.examples()),
    ],
    ids=named,
)
def test_documented_command_prints_what_is_shown_of_the_files_of_its_page(
    example: Example, document: Document, names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, block in zip(names, document.blocks("yaml"), strict=True):
        (tmp_path / name).write_text(block)
    (tmp_path / SAMPLES).symlink_to(ROOT / SAMPLES)
    example.check(tmp_path, monkeypatch)


@pytest.mark.parametrize("document", [COMMANDS, EXPLAINED, RIGHTS, CRDS, SIMULATIONS, UPGRADES])
def test_every_document_has_examples(document: Document) -> None:
    assert document.examples()


def test_every_command_is_listed_with_its_summary() -> None:
    rows = [f"| `olm {f'{each.group} {each.name}'.strip()}` | {each.summary} |" for each in commands.COMMANDS]
    assert [line for line in COMMANDS.text.splitlines() if line.startswith("| `olm ")] == rows
