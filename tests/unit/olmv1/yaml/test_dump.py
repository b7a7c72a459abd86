from __future__ import annotations

import pytest

from olmv1.yaml import YamlError, dump_json


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [{"d": None, "c": True}]}, b'{"a":[{"c":true,"d":null}],"b":1}'),
        ({"é": 1, "z": 2, "Z": 3}, '{"Z":3,"z":2,"é":1}'.encode()),
        ("<a> & b", b'"<a> & b"'),
        ("\u2028\u2029", b'"\\u2028\\u2029"'),
        ('\x00\b\f\n\r\t\x1f\x7f"\\/', b'"\\u0000\\b\\f\\n\\r\\t\\u001f\x7f\\"\\\\/"'),
        (12345678901234567890123, b"12345678901234567890123"),
        ({"a": (10**30, False)}, b'{"a":[1000000000000000000000000000000,false]}'),
        ([1.0, 1.1, -0.0, 1e16, 1e20, 1e21], b"[1,1.1,-0,10000000000000000,100000000000000000000,1e+21]"),
        ([1e-5, 1e-6, 1.5e-6, 1e-7, 5e-324], b"[0.00001,0.000001,0.0000015,1e-7,5e-324]"),
        ("[1.0]", b'"[1.0]"'),
    ],
)
def test_dump_json_writes_as_the_reference(value: object, text: bytes) -> None:
    assert dump_json(value) == text


def test_dump_json_keeps_the_order_of_keys_when_asked() -> None:
    assert dump_json({"b": 1, "a": 2**70}, sorted=False) == b'{"b":1,"a":1180591620717411303424}'


def test_dump_json_refuses_deep_nesting() -> None:
    value: list[object] = []
    for _ in range(254):
        value = [value]
    with pytest.raises(YamlError, match=r"^document nests deeper than 254 levels$"):
        dump_json(value)


def test_dump_json_refuses_what_is_no_json() -> None:
    with pytest.raises(TypeError):
        dump_json({"a": object()})
