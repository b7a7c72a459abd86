from __future__ import annotations

from typing import Any

import pytest

from olmv1.yaml.errors import YamlError
from olmv1.yaml.exact import load_exact


def refusal(document: str | bytes, first_line: int = 1) -> str:
    with pytest.raises(YamlError) as raised:
        load_exact(document.encode() if isinstance(document, str) else document, first_line)
    return str(raised.value).removeprefix("error converting YAML to JSON: yaml: ")


@pytest.mark.parametrize(
    ("document", "value"),
    [
        ("", None),
        ("# nothing", None),
        ("a: {b: [1, x]}", {"a": {"b": [1, "x"]}}),
        ("a: 'yes'\nb: \"1\"", {"a": "yes", "b": "1"}),
        ("y: 1\nno: 2\n3: c\n1.5: d\n'4': e", {"true": 1, "false": 2, "3": "c", "1.5": "d", "4": "e"}),
        ("a: 1\na: 2", {"a": 2}),
        ("a: !!binary aGVsbG8=\nb: !!str 5\nc: !custom x", {"a": "hello", "b": "5", "c": "x"}),
        ("!!set {b, c}", {"b": None, "c": None}),
        ("a: 2001-12-14\nb: 12:30", {"a": "2001-12-14", "b": "12:30"}),
        ("a: 'x\ny'", {"a": "x y"}),
        ("a: 12345678901234567890", {"a": 12345678901234567890}),
        ("\ufeffa: 1", {"a": 1}),
    ],
)
def test_load_exact_reads_as_the_reference(document: str, value: Any) -> None:
    assert load_exact(document.encode()) == value


@pytest.mark.parametrize(
    ("document", "value"),
    [
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x 1\nb: [*x, *x]", {"a": 1, "b": [1, 1]}),
        ("a: &x {b: 1, c: 2}\nd: {b: 3, <<: *x}", {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 2}}),
        ("a: &x {b: 1, c: 2}\nd: {<<: *x, b: 3}", {"a": {"b": 1, "c": 2}, "d": {"b": 3, "c": 2}}),
        ("- &x {a: 1}\n- &y {a: 2, b: 2}\n- <<: [*x, *y]", [{"a": 1}, {"a": 2, "b": 2}, {"a": 1, "b": 2}]),
        ("- {<<: {a: 1}}\n- {'<<': {a: 1}}", [{"a": 1}, {"<<": {"a": 1}}]),
        ("!!merge k: {a: 1}", {"a": 1}),
    ],
)
def test_load_exact_expands_aliases_and_merges(document: str, value: Any) -> None:
    assert load_exact(document.encode()) == value


def test_load_exact_gives_every_alias_its_own_value() -> None:
    value = load_exact(b"a: &x [1]\nb: *x")
    assert value["a"] is not value["b"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("a: [", "line 1: did not find expected node content"),
        ("%YAML 1.1\n", "line 1: did not find expected <document start>"),
        ("a: 1\nb: 2\nc:\n\t- d", "line 4: found character that cannot start any token"),
        ("a: b: c", "line 1: mapping values are not allowed in this context"),
        ("a: 1\nb: *nobody", "line 2: found undefined alias"),
        ("a: \x01", "control characters are not allowed"),
        (b"a: \xff", "invalid leading UTF-8 octet"),
        ("a: 1\n~: 2", "line 2: a key must be text, found null"),
        ("[a]: 2", "line 1: a key must be text, found a list or mapping"),
        ("a: .inf", "line 1: unsupported value: .inf"),
        ("a: !!int x", "line 1: cannot decode 'x' as a !!int"),
        ("a: {<<: [1]}", "line 1: map merge requires map or sequence of maps as the value"),
        ("a: &x {b: *x}", "line 1: an anchored value contains itself"),
        ("a: 1\n...\nb: 2", "line 2: did not find expected <document start>"),
    ],
)
def test_load_exact_names_line_and_problem(document: str | bytes, message: str) -> None:
    assert refusal(document) == message


def test_load_exact_counts_lines_from_the_first_one_given() -> None:
    assert refusal("a: b: c", first_line=100) == "line 100: mapping values are not allowed in this context"


def test_load_exact_keeps_the_line_of_bytes_that_are_no_text() -> None:
    with pytest.raises(YamlError) as raised:
        load_exact(b"a: 1\nb: \x01", 10)
    assert raised.value.line == 11


def test_load_exact_refuses_an_alias_bomb() -> None:
    levels = [f"{chr(c)}: &{chr(c)} [{','.join([f'*{chr(c - 1)}'] * 10)}]" for c in range(ord("b"), ord("j"))]
    bomb = "\n".join(["a: &a [0,0,0,0,0,0,0,0,0,0]", *levels])
    assert refusal(bomb) == "document contains excessive aliasing"


def test_load_exact_refuses_many_aliases_to_a_long_text() -> None:
    padding = "".join(f"- {number}\n" for number in range(2000))
    bomb = f"- &a {'x' * 100_000}\n{padding}" + "- *a\n" * 1000
    assert refusal(bomb) == "document contains excessive aliasing"


def test_load_exact_allows_many_aliases_to_little() -> None:
    document = "- &a {b: 1}\n" + "- *a\n" * 5000
    assert load_exact(document.encode()) == [{"b": 1}] * 5001


@pytest.mark.parametrize(
    "document",
    ["- " * 300 + "a", "[" * 300 + "]" * 300, "{a: " * 300 + "}" * 300, "- " * 100_000, "[" * 100_000],
)
def test_load_exact_refuses_deep_nesting(document: str) -> None:
    assert refusal(document) == "line 1: document nests deeper than 254 levels"


def test_load_exact_refuses_deep_nesting_by_merges() -> None:
    chain = "".join(f"- &a{n} {{<<: *a{n - 1}}}\n" for n in range(1, 400))
    assert "document nests deeper than 254 levels" in refusal(f"- &a0 {{b: 1}}\n{chain}")


def test_load_exact_reads_the_deepest_that_can_be_written() -> None:
    value = load_exact(b"[" * 254 + b"]" * 254)
    depth = 0
    while value:
        value, depth = value[0], depth + 1
    assert depth == 253
