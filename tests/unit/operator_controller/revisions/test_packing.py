from __future__ import annotations

import gzip
import random
import re

import orjson
import pytest

from olmv1.errors import RetryableError, TerminalError
from operator_controller.revisions.packing import MAX_OBJECT_BYTES, pack, phase_digest, unpack_object
from operator_controller.revisions.phases import Phase
from tests.builders import an_object


def a_large_object(name: str, size: int, *, is_random: bool = False) -> dict[str, object]:
    text = random.Random(name).randbytes(size // 2).hex() if is_random else "x" * size
    return an_object(name=name, data={"text": text})


def test_pack_stores_equal_content_once() -> None:
    packed = pack("lantern-1", [Phase("a", (an_object(),)), Phase("b", (an_object(),))])
    ((name, data),) = packed.secrets.items()
    assert (re.fullmatch("lantern-1-[0-9a-f]{16}", name) is not None, len(data)) == (True, 1)
    assert packed.phases[0][1] == packed.phases[1][1]


def test_pack_reads_back_what_it_stored() -> None:
    objects = (an_object(name="b"), an_object(name="a", data={"k": "é"}))
    packed = pack("lantern-1", [Phase("configuration", objects)])
    ((phase, refs),) = packed.phases
    stored = [unpack_object(packed.secrets[ref.secret][ref.key], ref.key, "ns/s") for ref in refs]
    assert (phase, stored) == ("configuration", list(objects))


def test_pack_starts_a_new_secret_when_one_is_full() -> None:
    objects = tuple(a_large_object(name, 500_000) for name in "abc")
    packed = pack("lantern-1", [Phase("configuration", objects)])
    assert [len(data) for data in packed.secrets.values()] == [1, 1, 1]


def test_pack_compresses_an_object_that_is_too_large() -> None:
    packed = pack("lantern-1", [Phase("a", (a_large_object("a", 1_000_000),))])
    ((data,),) = [list(found.values()) for found in packed.secrets.values()]
    assert gzip.decompress(data) == orjson.dumps(a_large_object("a", 1_000_000), option=orjson.OPT_SORT_KEYS)


def test_pack_refuses_an_object_that_stays_too_large() -> None:
    with pytest.raises(TerminalError, match="object in phase 0 index 1 exceeds maximum Secret data size"):
        pack("lantern-1", [Phase("a", (an_object(), a_large_object("a", 3_000_000, is_random=True)))])


def test_pack_gives_the_same_names_for_the_same_content() -> None:
    phases = [Phase("a", (an_object(name="b"), an_object(name="c")))]
    assert pack("lantern-1", phases) == pack("lantern-1", phases)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"nope", 'unmarshaling object from key "k" in Secret ns/s: invalid literal', id="no JSON"),
        pytest.param(b"[]", 'unmarshaling object from key "k" in Secret ns/s: expected a JSON object', id="a list"),
        pytest.param(
            b"\x1f\x8bxx",
            'creating gzip reader for key "k" in Secret ns/s: expected the header of gzip',
            id="no gzip header",
        ),
        pytest.param(gzip.compress(b"{}")[:10] + b"broken", 'decompressing key "k" in Secret ns/s: ', id="broken gzip"),
        pytest.param(gzip.compress(b"{}")[:-9], 'decompressing key "k" in Secret ns/s: unexpected end', id="cut gzip"),
        pytest.param(
            gzip.compress(b" " * (MAX_OBJECT_BYTES + 1)),
            'decompressed data for key "k" in Secret ns/s exceeds maximum size (10485760 bytes)',
            id="bomb",
        ),
    ],
)
def test_unpack_object_names_what_is_broken(data: bytes, message: str) -> None:
    with pytest.raises(RetryableError, match=re.escape(message)):
        unpack_object(data, "k", "ns/s")


def test_phase_digest_does_not_depend_on_the_order_of_keys() -> None:
    forth, back = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert phase_digest("p", [forth]) == phase_digest("p", [back])
    assert phase_digest("p", [forth]) != phase_digest("q", [forth])
