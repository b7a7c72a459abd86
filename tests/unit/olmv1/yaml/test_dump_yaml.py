from __future__ import annotations

import pytest

from olmv1.yaml import dump_yaml, load_all


def test_document_is_in_block_style_with_the_keys_in_order() -> None:
    value = {"b": [1, {"c": "text", "d": []}], "a": {"x": None, "y z": True}}
    assert dump_yaml(value) == "b:\n- 1\n- c: text\n  d: []\na:\n  x: null\n  y z: true\n"


@pytest.mark.parametrize(
    "text",
    [
        "1.0",
        "1e3",
        "0644",
        "0o17",
        "0x1F",
        "1_000",
        "yes",
        "n",
        "Off",
        "null",
        "~",
        "",
        ".inf",
        "12:30",
        "=",
        "2026-01-01",
    ],
)
def test_text_that_looks_like_something_else_is_quoted(text: str) -> None:
    assert dump_yaml([text]) in (f'- "{text}"\n', f"- '{text}'\n")


def test_text_of_several_lines_is_a_block() -> None:
    assert dump_yaml({"message": "first\nsecond"}) == "message: |-\n  first\n  second\n"


def test_long_text_stays_on_one_line() -> None:
    assert dump_yaml(["word " * 100 + "end"]).count("\n") == 1


def test_equal_objects_are_written_each_time() -> None:
    shared = ["x"]
    assert dump_yaml([shared, tuple(shared)]) == "- - x\n- - x\n"


def test_value_reads_back_as_it_was() -> None:
    value = {"n": 2**70, "f": 1.5, "s": "a: b # c", "t": " \ttab", "u": "\x1b[31mü\u2028", "nested": {"-": [[], {}]}}
    assert load_all(dump_yaml(value).encode()) == [value]


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="^expected a value of JSON, found object$"):
        dump_yaml({"x": object()})
