from __future__ import annotations

import pytest

from operator_controller.crd_safety import Accepted, AcceptError, accepted_of
from operator_controller.crd_safety.findings import finding_id

FORM = "expected CRD:CHECK:VERSION:PATH as reported, such as lamps.example.com:minimum:v1:^.spec.size"
WHERE = 'annotation "extras.olm.operatorframework.io/crd-accept"'


def test_entries_are_separated_by_blanks_commas_and_line_ends() -> None:
    ids = [
        "lamps.example.com:scope",
        "lamps.example.com:definitionRemoval",
        "lamps.example.com:storedVersionRemoval:v1alpha1+v1beta1",
        "lamps.example.com:existingFieldRemoval:v1:^.spec.color",
        "lamps.example.com:minimum:v1alpha1->v1:^",
    ]
    text = f"{ids[0]},{ids[1]}\n{ids[2]}  {ids[3]} ,\t{ids[4]}\n"
    assert accepted_of(text) == Accepted(frozenset(ids))


def test_nothing_is_accepted_by_an_empty_text() -> None:
    assert accepted_of(" \n,") == Accepted()


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("all", FORM),
        ("scope", FORM),
        ("lamps.example.com", FORM),
        ("lamps.example.com:scope:v1", "scope has no version and no path: expected lamps.example.com:scope"),
        (
            "lamps.example.com:minimum:^.spec.size",
            "minimum has a version and a path: expected lamps.example.com:minimum:v1:^.spec.size",
        ),
        (
            "lamps.example.com:storedVersionRemoval",
            "storedVersionRemoval has the versions that are gone and no path: "
            "expected lamps.example.com:storedVersionRemoval:v1alpha1+v1alpha2",
        ),
    ],
)
def test_nonsense_is_refused_with_what_was_expected(entry: str, problem: str) -> None:
    with pytest.raises(AcceptError) as raised:
        accepted_of(f"lamps.example.com:scope {entry}")
    assert str(raised.value) == f'{WHERE}: "{entry}": {problem}'


def test_unknown_check_is_answered_with_the_known_ones() -> None:
    with pytest.raises(AcceptError) as raised:
        accepted_of("lamps.example.com:minumum:v1:^.a", where="--accept")
    start = '--accept: "lamps.example.com:minumum:v1:^.a": there is no check "minumum": expected one of default, defin'
    assert str(raised.value).startswith(start)


def test_every_wrong_entry_is_named() -> None:
    with pytest.raises(AcceptError) as raised:
        accepted_of("a b")
    assert str(raised.value) == f'{WHERE}: "a": {FORM}; "b": {FORM}'


def test_id_has_no_separators_of_the_annotation() -> None:
    found = finding_id("lamps.example.com", "type", "v1alpha1 -> v1", "^.a b,c%\u00a0")
    assert found == "lamps.example.com:type:v1alpha1->v1:^.a%20b%2Cc%25%C2%A0"
    assert accepted_of(found).ids == {found}
