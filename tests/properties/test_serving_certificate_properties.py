"""Whatever the Secret with our own certificates holds: it is made good in one step, and then left alone."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.serving_certificate.material import Material, authorities_in, data_of, material_in
from olmv1.serving_certificate.renewal import Wanted, is_servable, next_look, renewed

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WANTED = Wanted(("catalogd-service.olmv1-system.svc", "127.0.0.1"), "catalogd-serving")
_EARLY = renewed(Material(), WANTED, NOW - timedelta(days=657)).material
STORED = data_of(renewed(_EARLY, WANTED, NOW - timedelta(days=170)).material)
KEYS = sorted({*STORED, "retired.crt"})

Changes = list[tuple[int, int]]


def changed(value: str, changes: Changes) -> str:
    """A stored text with some bytes of the DER inside it replaced."""
    head, *lines, tail = base64.b64decode(value).decode().strip().split("\n")[:2000]
    der = bytearray(base64.b64decode("".join(line for line in lines if not line.startswith("-"))))
    for at, byte in changes:
        der[at % len(der)] = byte
    text = f"{head}\n{base64.encodebytes(bytes(der)).decode()}{tail}\n"
    return base64.b64encode(text.encode()).decode()


def is_good(data: dict[str, str]) -> bool:
    """Whether one step heals the content, and a second finds nothing to do, now and for a while."""
    authorities_in(data)
    healed = renewed(material_in(data), WANTED, NOW).material
    is_done = not renewed(material_in(data_of(healed)), WANTED, NOW).reasons
    return is_servable(healed, NOW) and is_done and next_look(healed, NOW, WANTED.lifetimes) > NOW


@pytest.mark.filterwarnings("ignore")  # the library tells of serial numbers that are not positive
@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(STORED)),
    st.sampled_from(KEYS),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4),
)
def test_changed_bytes_are_healed(source: str, target: str, changes: Changes) -> None:
    assert is_good({**STORED, target: changed(STORED[source], changes)})


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), st.binary(max_size=200).map(lambda raw: base64.b64encode(raw).decode())))
def test_any_bytes_are_healed(data: dict[str, str]) -> None:
    assert is_good({**STORED, **data})


@settings(max_examples=100, deadline=None)
@given(st.sets(st.sampled_from(KEYS)), st.sets(st.sampled_from(KEYS)))
def test_missing_and_exchanged_keys_are_healed(gone: set[str], swapped: set[str]) -> None:
    kept = {key: value for key, value in STORED.items() if key not in gone}
    values = [kept[key] for key in sorted(swapped) if key in kept]
    rotated = dict(zip(sorted(swapped), values[1:] + values[:1], strict=False))
    assert is_good({**kept, **rotated})
