from __future__ import annotations

import pytest

from operator_controller.resolver import CatalogProblem, Chosen, NoteKind, Request, Unresolved, resolve
from tests.packages import a_bundle, a_catalog, a_package, an_installed


def notes(answer: Chosen | Unresolved) -> list[tuple[NoteKind, str]]:
    return [(note.kind, note.message) for note in answer.notes]


@pytest.mark.parametrize(
    ("edge", "installed", "range_text", "expected"),
    [
        pytest.param(
            "2.0.0 (R 1.0.0)",
            "1.0.0",
            None,
            (NoteKind.MAJOR_UPGRADE, 'bundle "p.v2.0.0" crosses from major version 1 to 2'),
            id="major upgrade",
        ),
        pytest.param(
            "1.0.0-1 (R 1.0.0)",
            "1.0.0",
            None,
            (NoteKind.RESPIN, 'bundle "p.v1.0.0-1" is a respin of the installed 1.0.0'),
            id="respin",
        ),
        pytest.param(
            "2.0.0 (R 3.0.0)",
            "3.0.0",
            "<3",
            (NoteKind.ROLLBACK, 'bundle "p.v2.0.0" goes back from the installed 3.0.0 to 2.0.0'),
            id="rollback",
        ),
    ],
)
def test_notes_tell_of_the_step(
    edge: str, installed: str, range_text: str | None, expected: tuple[NoteKind, str]
) -> None:
    package = a_package([edge.split(" ", maxsplit=1)[0]], {"a": [edge]})
    answer = resolve(Request("p", range_text, installed=an_installed(installed)), [a_catalog(package)])
    assert notes(answer) == [expected]
    assert answer.trace.decisions == (expected[1],)


def test_notes_are_empty_for_an_ordinary_step() -> None:
    package = a_package(["1.1.0", "1.0.0"], {"a": ["1.1.0 (R 1.0.0)", "1.0.0"]})
    assert notes(resolve(Request("p", "1.x", installed=an_installed("1.0.0")), [a_catalog(package)])) == []
    assert notes(resolve(Request("p"), [a_catalog(package)])) == []


def test_notes_tell_of_a_skipped_bundle() -> None:
    package = a_package(["1.0.0"], {"a": ["1.1.0 (S 1.0.0)", "1.0.0"]})
    expected = [(NoteKind.SKIPPED_BUNDLE, 'every channel with bundle "p.v1.0.0" skips it')]
    assert notes(resolve(Request("p"), [a_catalog(package)])) == expected


def test_notes_tell_of_a_bundle_that_only_has_the_same_version() -> None:
    catalogs = [a_catalog(a_package([a_bundle("twin", version="1.0.0")]))]
    expected = [
        (
            NoteKind.SAME_VERSION_OTHER_NAME,
            'bundle "twin" has the version of the installed "p.v1.0.0" but another name',
        )
    ]
    assert notes(resolve(Request("p", installed=an_installed("1.0.0")), catalogs)) == expected
    asked = Request("p", policy="SelfCertified", installed=an_installed("1.0.0"))
    assert notes(resolve(asked, catalogs)) == expected


def test_notes_tell_of_hidden_prereleases() -> None:
    catalogs = [a_catalog(a_package(["1.0.0", "1.1.0-rc.1", "0.9.0-rc.1", a_bundle("bad", version="v1")]))]
    text = 'version range "<2" hides pre-releases ({}); ">=0.0.0-0 <2.0.0-0" shows them'
    assert notes(resolve(Request("p", "<2"), catalogs)) == [(NoteKind.PRERELEASES_HIDDEN, text.format(1))]
    only = [a_catalog(a_package(["1.1.0-rc.1", "0.9.0-rc.1"]))]
    assert notes(resolve(Request("p", "<2"), only)) == [(NoteKind.PRERELEASES_HIDDEN, text.format(2))]


def test_notes_tell_of_surprising_ranges() -> None:
    expected = [(NoteKind.SURPRISING_RANGE, 'in version range "^*" `^` with a wildcard means exactly 0.0.0')]
    assert notes(resolve(Request("p", "^*"), [a_catalog(a_package(["1.0.0"]))])) == expected


def test_notes_tell_of_unknown_channels() -> None:
    catalogs = [a_catalog(a_package(["1.0.0"], {"a": ["1.0.0"]})), a_catalog(None, "other")]
    expected = [(NoteKind.UNKNOWN_CHANNEL, 'channel "b" of package "p" is in no catalog')]
    assert notes(resolve(Request("p", channels=("a", "b")), catalogs)) == expected


def test_notes_tell_of_catalogs_that_do_not_matter() -> None:
    catalogs = (a_catalog(a_package(["1.0.0"])), CatalogProblem("sick", -1, "no route"))
    expected = [(NoteKind.CATALOG_PASSED_OVER, 'catalog "sick" cannot be used and does not matter: no route')]
    assert notes(resolve(Request("p"), catalogs)) == expected


@pytest.mark.parametrize(
    ("range_text", "expected"),
    [
        ("foobar", 'version range "foobar" cannot be read from character 1 on: "foobar"'),
        (">=1.0.0 <2.0.0.0", 'version range ">=1.0.0 <2.0.0.0" cannot be read from character 15 on: ".0"'),
        (">=1.0.0 ||", 'version range ">=1.0.0 ||" ends too early'),
    ],
)
def test_notes_tell_where_a_range_cannot_be_read(range_text: str, expected: str) -> None:
    assert notes(resolve(Request("p", range_text), [])) == [(NoteKind.INVALID_RANGE, expected)]


def test_notes_are_silent_when_no_single_place_is_to_blame() -> None:
    assert notes(resolve(Request("p", "1" * 513), [])) == []
