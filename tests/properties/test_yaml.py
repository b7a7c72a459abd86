from __future__ import annotations

import math
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from olmv1.yaml import YamlError, documents, dump_json, load_all, load_json
from olmv1.yaml.exact import load_exact
from olmv1.yaml.fast import Undecided, load_fast
from tests.properties import yaml_documents

SETTINGS = settings(derandomize=True, max_examples=160, deadline=None)

# Beyond 2**53 a float without a fraction is read again as the integer that its digits say.
FLOATS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x) < 2**53 or abs(x) >= 1e21)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)


def assert_loaders_agree(document: bytes) -> None:
    assume(not document.startswith(b"---") and b"\n---" not in document)
    try:
        fast = load_fast(document)
    except Undecided:
        return
    try:
        exact = load_exact(document)
    except YamlError:
        return  # The fast parser takes a few documents that the reference refuses, such as `{a: >x}`.
    assert repr(fast) == repr(exact)


@SETTINGS
@given(document=yaml_documents.documents())
def test_fast_loader_reads_what_the_exact_loader_reads(document: bytes) -> None:
    assert_loaders_agree(document)


@SETTINGS
@given(document=yaml_documents.fragments())
def test_fast_loader_reads_nothing_else_in_fragments(document: bytes) -> None:
    assert_loaders_agree(document)


def test_fast_loader_decides_most_documents() -> None:
    decided = 0

    @settings(derandomize=True, max_examples=300, deadline=None, database=None)
    @given(document=yaml_documents.documents())
    def count(document: bytes) -> None:
        nonlocal decided
        try:
            load_fast(document)
            decided += 1
        except Undecided:
            pass

    count()
    assert decided > 60


@SETTINGS
@given(text=st.binary(max_size=40) | yaml_documents.fragments())
def test_load_all_raises_nothing_but_its_error(text: bytes) -> None:
    try:
        values = load_all(text)
    except YamlError:
        return
    assert [load_json(dump_json(value)) for value in values] == values


@SETTINGS
@given(value=JSON_VALUES)
def test_dump_json_is_read_again_as_the_same(value: Any) -> None:
    text = dump_json(value)
    again = load_json(text)
    assert again == value
    assert dump_json(again) == text


@SETTINGS
@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_dump_json_prints_floats_as_the_reference(value: float) -> None:
    text = dump_json(value).decode()
    assert float(text) == value
    has_exponent = value != 0 and not 1e-6 <= abs(value) < 1e21
    assert ("e" in text, "." in text and text.endswith(".0")) == (has_exponent, False)
    assert math.copysign(1, float(text)) == math.copysign(1, value)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    values=st.lists(st.dictionaries(st.text(max_size=4), JSON_VALUES, max_size=3), max_size=5),
    glue=st.sampled_from(["", "\n", "\r\n", "\n---\n"]),
)
def test_documents_cuts_json_streams_anywhere(values: list[dict[str, Any]], glue: str) -> None:
    stream = glue.encode().join(dump_json(value) for value in values)
    assert [document.value for document in documents(stream)] == values
