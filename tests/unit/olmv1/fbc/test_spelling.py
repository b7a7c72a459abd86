from __future__ import annotations

import pytest

from olmv1.fbc.spelling import LEAF, OPAQUE, is_misspelled, respelled

SHAPE = {"name": LEAF, "skips": LEAF, "entries": {"skipRange": LEAF, "value": OPAQUE}}


@pytest.mark.parametrize("line", [b'{"Name":1}', b'{"nAME":1}', b'{"skiprange":1}', '{"\u017fkips":1}'.encode()])
def test_is_misspelled_finds_other_letters(line: bytes) -> None:
    assert is_misspelled(line)


@pytest.mark.parametrize("line", [b'{"name":1,"skipRange":2}', b'{"names":1,"Namespace":2}', b'{"a":"\\"Name\\":"}'])
def test_is_misspelled_lets_exact_names_pass(line: bytes) -> None:
    assert not is_misspelled(line)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        (b'{"NAME":"a","other":1}', b'{"name":"a"}'),
        (b'{"Name":"a","name":"b"}', b'{"name":"b"}'),
        (b'{"name":null}', b"{}"),
        (b'{"skips":["a",null]}', b'{"skips":["a",""]}'),
        (b'{"entries":[null,{"SkipRange":"<1","Value":null}]}', b'{"entries":[{},{"skipRange":"<1"}]}'),
        (
            b'{"entries":{"value":{"Name":12345678901234567890123}}}',
            b'{"entries":{"value":{"Name":12345678901234567890123}}}',
        ),
        (b'"text"', b'"text"'),
    ],
)
def test_respelled_keeps_known_names_only(line: bytes, result: bytes) -> None:
    assert respelled(line, SHAPE) == result
