from __future__ import annotations

import re
from pathlib import Path

import pytest

from olmv1.fbc.validation import Code, Finding, Phase, Place, Severity, Subject

DOCS = Path(__file__).parents[5] / "docs" / "catalogs.md"


def test_every_code_is_documented_once() -> None:
    cells = [line.split("|")[1] for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    documented = [code for cell in cells for code in re.findall("`([a-z-]+)`", cell)]
    assert sorted(documented) == sorted(code.value for code in Code)


def test_only_warnings_can_be_schema_rules() -> None:
    assert {code.phase for code in Code if code.is_schema_rule} == {Phase.LINT}


@pytest.mark.parametrize(
    ("place", "subject", "text"),
    [
        (Place(), Subject(), "m"),
        (Place("a.yaml"), Subject(), "a.yaml: m"),
        (Place("a.yaml", 2, 3), Subject("olm.package", "p", "p"), 'a.yaml, document 2, line 3 (olm.package "p"): m'),
        (Place(), Subject("olm.bundle", "p", "b"), 'olm.bundle "b" of package "p": m'),
        (Place(), Subject("olm.bundle", "", "b"), 'olm.bundle "b": m'),
        (Place(), Subject("other"), "other: m"),
        (Place(), Subject("", "", "b"), 'blob "b": m'),
    ],
)
def test_finding_reads_as_a_sentence(place: Place, subject: Subject, text: str) -> None:
    assert str(Finding(Severity.ERROR, Code.NO_IMAGE, "m", place, subject)) == text
