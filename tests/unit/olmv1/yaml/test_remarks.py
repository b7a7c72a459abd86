from __future__ import annotations

import pytest

from olmv1.yaml import Remark, RemarkKind, documents, remarks_of

BOOLEAN, NUMBER, DUPLICATE = RemarkKind.BOOLEAN, RemarkKind.NUMBER, RemarkKind.DUPLICATE_KEY


def remarks(text: str) -> list[Remark]:
    return [remark for document in documents(text.encode(), is_wary=True) for remark in remarks_of(document)]


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        pytest.param("a: y", Remark(BOOLEAN, 1, "a", "y", "true"), id="yes"),
        pytest.param("a: [b, Off]", Remark(BOOLEAN, 1, "a[1]", "Off", "false"), id="in a list"),
        pytest.param("x: 1\nn: 2", Remark(BOOLEAN, 2, "", "n", "false", is_key=True), id="key"),
        pytest.param("a:\n  true: 2", Remark(BOOLEAN, 2, "a", "true", "true", is_key=True), id="a true key"),
        pytest.param("a: 4.20", Remark(NUMBER, 1, "a", "4.20", "4.2"), id="zero at the end"),
        pytest.param("a: 010", Remark(NUMBER, 1, "a", "010", "8"), id="octal"),
        pytest.param("a: 0x1F", Remark(NUMBER, 1, "a", "0x1F", "31"), id="hexadecimal"),
        pytest.param("a: 1_000", Remark(NUMBER, 1, "a", "1_000", "1000"), id="underscores"),
        pytest.param("a: 1e3", Remark(NUMBER, 1, "a", "1e3", "1000"), id="exponent"),
        pytest.param(f"a: {2**53 + 2}", Remark(NUMBER, 1, "a", str(2**53 + 2), str(2**53 + 2)), id="many digits"),
        pytest.param("010: x", Remark(NUMBER, 1, "", "010", "8", is_key=True), id="numeric key"),
        pytest.param("a: 1\nb: {c: 1, c: 2}", Remark(DUPLICATE, 2, "b", "c", "", is_key=True), id="key twice"),
        pytest.param('{"a": 1,\n "a": 2}', Remark(DUPLICATE, 2, "", "a", "", is_key=True), id="key twice in JSON"),
        pytest.param('{"a": 4.20}', Remark(NUMBER, 1, "a", "4.20", "4.2"), id="number in JSON"),
        pytest.param("b: 1\n---\n# c\na:\n- 4.20", Remark(NUMBER, 5, "a[0]", "4.20", "4.2"), id="later document"),
        pytest.param("b: &x {c: on}\na: *x", Remark(BOOLEAN, 1, "b.c", "on", "true"), id="anchored"),
    ],
)
def test_remark_tells_what_became_of_the_text(text: str, remark: Remark) -> None:
    assert remarks(text) == [remark]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: true\nb: False", id="booleans"),
        pytest.param('a: "y"\nb: \'4.20\'\nc: "010"', id="quoted"),
        pytest.param("a: 4.2\nb: 12\nc: -0.5", id="numbers"),
        pytest.param("a: !!str 010", id="tagged"),
        pytest.param("a: 2020-01-01\nb: 1:30\nc: ~\nd: .nan.", id="texts"),
        pytest.param("1: one\n2: two", id="numeric keys"),
        pytest.param("a: |\n  y: 010\n", id="in a block"),
        pytest.param("a: &x {b: 1}\nc: {<<: *x, d: 1, <<: *x}", id="merged"),
        pytest.param('{"a": {"b": 1}, "b": "1.50", "c": "\\u0022"}', id="JSON"),
    ],
)
def test_remarks_are_silent_about_what_is_meant(text: str) -> None:
    assert remarks(text) == []


def test_remarks_are_bounded() -> None:
    assert len(remarks("\n".join(f"a{n}: y" for n in range(500)))) == 100


def test_remarks_show_an_excerpt_only() -> None:
    assert remarks(f"{'k' * 99}: 1\n{'k' * 99}: 2") == [Remark(DUPLICATE, 2, "", f"{'k' * 39}…", "", is_key=True)]


def test_remarks_end_where_json_is_no_yaml() -> None:
    assert remarks('{"a": 1, "a": 2, "b":\t\t[\t"\\/"]}') == [Remark(DUPLICATE, 1, "", "a", "", is_key=True)]


def test_wary_documents_have_the_values_of_others() -> None:
    text = b"a: 1\nb: 2\na: 3\n---\n{a: y}\n"
    assert list(documents(text, is_wary=True)) == list(documents(text))
