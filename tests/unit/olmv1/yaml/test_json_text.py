from __future__ import annotations

from typing import Any

import pytest

from olmv1.yaml import YamlError, load_json
from olmv1.yaml.json_text import text_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": [1, "x", null, true]}', {"a": [1, "x", None, True]}),
        (b" [1.0, 1e3, 1.10, 1e21]\n", [1, 1000, 1.1, 1e21]),
        (b"[12345678901234567890123, -9223372036854775809]", [12345678901234567890123, -9223372036854775809]),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'"\\ud83d\\ude00 \\ud800"', "😀 \ufffd"),
        (b'[{"\\ud800": 1}]', [{"\ufffd": 1}]),
        (b'{"a": "\xff\xc3"}', {"a": "\ufffd\ufffd"}),
        (b'["1234567890123456789"]', ["1234567890123456789"]),
        (b'{"a\\\\":1.0,"b" : 2.0 ,"c":\n12345678901234567890123}', {"a\\": 1, "b": 2, "c": 12345678901234567890123}),
        (b"1.0", 1),
        (b"[[[3e0]]]", [[[3]]]),
    ],
)
def test_load_json_loses_nothing(text: bytes, value: Any) -> None:
    assert load_json(text) == value


def test_load_json_keeps_negative_zero() -> None:
    assert repr(load_json(b'{"a":-0}')) == "{'a': -0.0}"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (b'{"a": 1e400}', "json: number 1e400 is out of range", 1),
        (b"9" * 310, f"json: number {'9' * 40} is out of range", 1),
        (b"[NaN]", "json: invalid number NaN", 1),
        (b"{\n}x", "json: offset 4: extra data", 2),
        (b'{"a"}', "json: offset 5: expecting ':' delimiter", 1),
        (b"[" * 300 + b"]" * 300, "json: document nests deeper than 254 levels", None),
        (b"[" * 5000, "json: document nests deeper than 254 levels", 1),
    ],
)
def test_load_json_says_what_is_wrong(text: bytes, message: str, line: int | None) -> None:
    with pytest.raises(YamlError) as raised:
        load_json(text)
    assert (str(raised.value), raised.value.line) == (message, line)


def test_text_of_replaces_every_bad_byte() -> None:
    assert text_of(b"a\xe2\x82b\xed\xa0\x80") == "a\ufffd\ufffdb\ufffd\ufffd\ufffd"
