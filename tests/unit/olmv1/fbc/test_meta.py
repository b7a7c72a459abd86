from __future__ import annotations

from typing import Any

import pytest

from olmv1.fbc import FbcError
from olmv1.fbc.meta import Meta, meta_of, type_word


@pytest.mark.parametrize(
    ("blob", "meta"),
    [
        ({}, Meta()),
        ({"schema": "s", "package": "p", "name": "n", "x": 1}, Meta("s", "p", "n")),
        ({"Schema": "s", "PACKAGE": "p", "nAmE": "n"}, Meta("s", "p", "n")),
        ({"\u017fchema": "s", "pac\u212aage": "p"}, Meta("s", "p", "")),
        ({"schema": ""}, Meta()),
        ({"names": 1, "sch": 2, "schemas": 3}, Meta()),
    ],
)
def test_meta_of_finds_fields_in_any_letter_case(blob: dict[str, Any], meta: Meta) -> None:
    assert meta_of(blob) == meta


@pytest.mark.parametrize(
    ("blob", "message"),
    [
        ({"schema": "a", "Schema": "b"}, 'duplicate keys for key "schema": [Schema schema]'),
        ({"name": True}, 'expected value for key "name" to be a string, got boolean true'),
        ({"package": 1.5}, 'expected value for key "package" to be a string, got number 1.5'),
        ({"Name": 10**99}, f'expected value for key "name" to be a string, got number 1{"0" * 32}'),
        ({"schema": None}, 'expected value for key "schema" to be a string, got null'),
        ({"schema": ["secret"]}, 'expected value for key "schema" to be a string, got list'),
        ({"schema": {}}, 'expected value for key "schema" to be a string, got object'),
    ],
)
def test_meta_of_refuses_other_types_and_two_spellings(blob: dict[str, Any], message: str) -> None:
    with pytest.raises(FbcError) as raised:
        meta_of(blob)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("value", "word"), [("", "string"), (True, "boolean"), (1, "number"), ([], "list"), ({}, "object")]
)
def test_type_word_is_the_word_of_json(value: object, word: str) -> None:
    assert type_word(value) == word
