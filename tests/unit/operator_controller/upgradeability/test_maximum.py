from __future__ import annotations

import json

import pytest

from operator_controller.upgradeability import Maximum, Minor, read_maximum


def declared(*values: str) -> str:
    """The annotation with these JSON texts as values of the property."""
    listed = ",".join(f'{{"type":"olm.maxOpenShiftVersion","value":{value}}}' for value in values)
    return f'[{{"type":"other","value":{{"olm.maxOpenShiftVersion":1}}}}{"," if values else ""}{listed}]'


@pytest.mark.parametrize(
    ("value", "minor"),
    [
        ('"4.18"', Minor(4, 18)),
        ('"4.018"', Minor(4, 18)),
        ('" 4.18 "', Minor(4, 18)),
        ('"4.10"', Minor(4, 10)),
        ("4.18", Minor(4, 18)),
        ("4.10", Minor(4, 10)),
        ("4.20", Minor(4, 20)),
        ("5.0", Minor(5, 0)),
    ],
)
def test_maximum_is_read(value: str, minor: Minor) -> None:
    assert read_maximum(declared(value)) == Maximum(minor)


@pytest.mark.parametrize("value", ['"4"', '""', '"4.18-rc1"', '"4.18.1"', '"four"', '"-4.18"'])
def test_text_that_is_no_minor_version_is_told(value: str) -> None:
    text = f"error converting to semver for version {json.loads(value)}: invalid version format"
    assert read_maximum(declared(value)) == Maximum(problems=(text,))


@pytest.mark.parametrize("value", ["4.19e1", "5.00", "4", "-4.18", "04"])
def test_number_that_is_no_minor_version_is_told(value: str) -> None:
    found = read_maximum(declared(value))
    assert (found.minor, len(found.problems)) == (None, 1)


def test_number_keeps_its_own_text_in_the_message() -> None:
    text = 'error converting to semver for version 5.00: invalid semver format "5.00": expected <major>.<minor>'
    assert read_maximum(declared("5.00")).problems == (text,)


@pytest.mark.parametrize(
    ("value", "word"),
    [("true", "bool"), ("null", "nil"), ("[1]", "[]interface {}"), ('{"a":1}', "map[string]interface {}")],
)
def test_value_of_another_type_is_told(value: str, word: str) -> None:
    assert read_maximum(declared(value)).problems == (f"invalid type {word} for olm.maxOpenshiftVersion: {value}",)


@pytest.mark.parametrize("value", ['"v4.18"', '"4.18.0"'])
def test_spelling_of_classic_is_accepted_with_a_warning(value: str) -> None:
    text = f"olm.maxOpenShiftVersion is written {value}: expected <major>.<minor>, read as 4.18"
    assert read_maximum(declared(value)) == Maximum(Minor(4, 18), warnings=(text,))


@pytest.mark.parametrize("annotation", [None, "", "[]", "null", declared()])
def test_nothing_declared_is_no_maximum(annotation: str | None) -> None:
    assert read_maximum(annotation) == Maximum()


def test_equal_values_are_one() -> None:
    assert read_maximum(declared('"4.18"', "4.18", '"4.18"')) == Maximum(Minor(4, 18))


def test_different_values_are_told_and_the_lowest_counts() -> None:
    text = "more than one olm.maxOpenShiftVersion found in bundle: 4.10, 4.11"
    assert read_maximum(declared('"4.11"', '"4.10"')) == Maximum(Minor(4, 10), problems=(text,))


@pytest.mark.parametrize("annotation", ["{", "{}", '[{"type":1}]', "[" * 100_000])
def test_annotation_that_is_no_list_of_properties_is_told(annotation: str) -> None:
    (problem,) = read_maximum(annotation).problems
    assert problem.startswith("could not convert olm.properties: failed to unmarshal properties annotation: ")


def test_endless_value_is_cut_in_the_message() -> None:
    (problem,) = read_maximum(declared(json.dumps("x" * 10_000))).problems
    assert len(problem) < 200
