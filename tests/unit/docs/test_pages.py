"""Pages that follow from something else are current, and pages that promise to be complete are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from olmv1.api.vocabulary import ConditionType, Reason
from tests.documents import ROOT, Document, Example
from tools import api_reference, rights_reference

CATALOGS = Document("building-catalogs.md")
FILE = re.compile(r"# (\S+)\n(.*)", re.DOTALL)
GUIDES = ("first-extension.md", "upgrades.md", "approval.md", "from-classic.md", "uninstall.md")


def test_api_reference_is_current() -> None:
    assert api_reference.PAGE.read_text(encoding="utf-8") == api_reference.reference(), (
        "run: python -m tools.api_reference"
    )


def test_rights_are_current() -> None:
    page = rights_reference.PAGE.read_text(encoding="utf-8")
    assert rights_reference.with_tables(page) == page, "run: python -m tools.rights_reference"


def test_every_right_has_a_reason() -> None:
    found = [right for each in rights_reference.rights().values() for right in each]
    assert found
    assert [right for right in found if not right.reason] == []


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"security\.md: expected the marks <!-- rights"):
        rights_reference.with_tables("# Security\n")


def test_troubleshooting_has_every_reason() -> None:
    """Each one stands in a heading or in the first cell of a row."""
    text = Document("troubleshooting.md").text
    entries = set(re.findall(r"^#+ (\w+)$|^\| `(\w+)` \||^`(\w+)`:", text, re.MULTILINE))
    assert set(Reason) <= {word for entry in entries for word in entry if word}


def test_troubleshooting_has_every_condition() -> None:
    headings = re.findall(r"^## (.+)$", Document("troubleshooting.md").text, re.MULTILINE)
    words = {word for heading in headings for word in re.split(r",? ", heading)}
    # told where Installed is told
    assert set(ConditionType) - words == {ConditionType.SUCCEEDED}


@pytest.mark.parametrize(
    "term",
    [
        "CatalogSource",
        "Subscription",
        "currentCSV",
        "installedCSV",
        "InstallPlan",
        "OperatorGroup",
        "Intersection of groups",
        "Generated roles",
        "phase",
        "Copied CSVs",
        "PackageManifest",
        "Metrics",
        "Dependency resolution",
        "CRD ownership",
    ],
)
def test_terms_of_classic_are_told(term: str) -> None:
    assert term in Document("from-classic.md").text


@pytest.mark.parametrize("example", CATALOGS.examples(), ids=lambda example: example.command)
def test_catalogs_of_the_page_are_as_shown(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [found.groups() for block in CATALOGS.blocks("yaml") if (found := FILE.match(block))]
    for number, (name, content) in enumerate(files):
        if number == len([each for each, _ in files if each.startswith("lamps/")]):
            shutil.copytree(tmp_path / "lamps", tmp_path / "lamps-next")
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    example.check(tmp_path, monkeypatch)


@pytest.mark.parametrize("example", Document("disconnected.md").examples(), ids=lambda example: example.command)
def test_disconnected_is_as_shown(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    example.check(ROOT, monkeypatch)


@pytest.mark.parametrize("page", GUIDES)
def test_guides_show_what_is_printed(page: str) -> None:
    """A test on a cluster carries them out; here only that nobody left an output out."""
    silent = ("podman push ",)
    assert [
        each.command for each in Document(page).commands() if not each.shown and not each.command.startswith(silent)
    ] == []
