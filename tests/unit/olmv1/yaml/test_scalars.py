from __future__ import annotations

import pytest

from olmv1.yaml.scalars import NotJsonError, Scalar, plain, tagged


@pytest.mark.parametrize("word", ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"])
def test_plain_reads_words_of_truth(word: str) -> None:
    assert plain(word) is True


@pytest.mark.parametrize("word", ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"])
def test_plain_reads_words_of_falsehood(word: str) -> None:
    assert plain(word) is False


@pytest.mark.parametrize("word", ["", "~", "null", "Null", "NULL"])
def test_plain_reads_null(word: str) -> None:
    assert plain(word) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-7", -7),
        ("+12", 12),
        ("0777", 511),
        ("-0777", -511),
        ("0o777", 511),
        ("0O17", 15),
        ("0b101", 5),
        ("-0B11", -3),
        ("0x1F", 31),
        ("+0X1f", 31),
        ("1_000", 1000),
        ("0x_1F", 31),
        ("08", 8),
        ("1.0", 1),
        ("1.", 1),
        ("1e3", 1000),
        ("12e03", 12000),
        ("1.10", 1.1),
        (".5", 0.5),
        ("-.5", -0.5),
        ("12345678901234567890123", 12345678901234567890123),
        ("18446744073709551615", 2**64 - 1),
        ("-0x8000000000000000", -(2**63)),
        ("1e21", 1e21),
        ("0.0000001", 1e-7),
        ("01777777777777777777777", 2**64 - 1),
        ("09999999999999999999999", 1e22),
    ],
)
def test_plain_reads_numbers(text: str, value: float) -> None:
    assert (plain(text), type(plain(text))) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        *("tRue", "yEs", "nULL", "foo", "1.2.3", "12:30", "190:20:30", "2020-01-01", "2001-12-14T21:59:43Z"),
        *(
            "1e400",
            "0x1p3",
            "1e",
            "=",
            "-",
            "+",
            ".",
            "..",
            "._5",
            ".5_0",
            "_1",
            "0x",
            "0b",
            "0o",
            "0b102",
            "0xg",
            "1 2",
        ),
        *("0x10000000000000000", "-0x8000000000000001", "+0x8000000000000000", "<<", "-_", "9" * 310),
    ],
)
def test_plain_leaves_text(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN", ".inf", "-.inf", "+.Inf", ".INF"])
def test_plain_refuses_what_json_cannot_say(text: str) -> None:
    with pytest.raises(NotJsonError, match=r"^unsupported value: [-+]?\.\w+$"):
        plain(text)


def test_plain_keeps_an_integer_that_a_float_can_hold() -> None:
    assert plain("9" * 308) == int("9" * 308)


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("tag:yaml.org,2002:str", "1", "1"),
        ("tag:yaml.org,2002:int", "0x10", 16),
        ("tag:yaml.org,2002:float", "5", 5),
        ("tag:yaml.org,2002:bool", "yes", True),
        ("tag:yaml.org,2002:null", "", None),
        ("tag:yaml.org,2002:timestamp", "2020-01-01", "2020-01-01"),
        ("tag:yaml.org,2002:binary", "aGVs\n bG8=", "hello"),
        ("tag:yaml.org,2002:binary", "/w==", "\ufffd"),
        ("!custom", "x", "x"),
        ("!int", "5", "5"),
    ],
)
def test_tagged_follows_the_tag(tag: str, text: str, value: Scalar) -> None:
    assert tagged(tag, text) == value


@pytest.mark.parametrize(
    ("tag", "text", "message"),
    [
        ("tag:yaml.org,2002:int", "x", "cannot decode 'x' as a !!int"),
        ("tag:yaml.org,2002:int", "1.5", "cannot decode '1.5' as a !!int"),
        ("tag:yaml.org,2002:bool", "1", "cannot decode '1' as a !!bool"),
        ("tag:yaml.org,2002:null", "x" * 99, f"cannot decode '{'x' * 40}' as a !!null"),
        ("tag:yaml.org,2002:binary", "a", "!!binary value contains invalid base64 data"),
    ],
)
def test_tagged_refuses_text_of_another_type(tag: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        tagged(tag, text)
    assert str(raised.value) == message
