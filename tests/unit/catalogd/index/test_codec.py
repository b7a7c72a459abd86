from __future__ import annotations

import orjson
import pytest

from catalogd.index.codec import FORMAT, IndexFormatError, decoded


def stored(**changes: object) -> bytes:
    columns = {"lengths": [1, 2], "schemas": [1, 1], "packages": [0, 0], "names": [0, 1]}
    return orjson.dumps({"format": FORMAT, "texts": ["", "a"], **columns, **changes})


def test_decoded_reads_every_column() -> None:
    columns = decoded(stored())
    assert (columns.texts, columns.lengths.tolist(), columns.names.tolist()) == (("", "a"), [1, 2], [0, 1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{}", 'index has the format "None", expected "olmv1-index/1"'),
        (b"[]", 'index has the format "None", expected "olmv1-index/1"'),
        (stored(format="x" * 99), f'index has the format "{"x" * 40}", expected "olmv1-index/1"'),
        (stored(texts=None), "index has no list of texts"),
        (stored(texts=["", 1]), "index has no list of texts"),
        (stored(lengths={}), "index has no list of lengths"),
        (stored(lengths=["1", 2]), "index has something that is no number in lengths"),
        (stored(names=[0, -1]), "index has something that is no number in names"),
        (stored(lengths=[0, 2]), "index holds a length that no line can have"),
        (stored(lengths=[2**62, 2]), "index holds a length that no line can have"),
        (stored(names=[0]), "index has 2 lines but 1 names"),
        (stored(schemas=[0, 2]), "index refers to a text that it does not have, in schemas"),
    ],
)
def test_decoded_refuses_what_contradicts_itself(data: bytes, message: str) -> None:
    with pytest.raises(IndexFormatError) as raised:
        decoded(data)
    assert str(raised.value) == message


@pytest.mark.parametrize("data", [b"", stored()[:-9], b"[" * 5000, b"\xff"])
def test_decoded_refuses_what_is_cut(data: bytes) -> None:
    with pytest.raises(IndexFormatError, match=r"^not an index: "):
        decoded(data)
