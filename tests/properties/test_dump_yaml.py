"""Whatever is printed as YAML reads back as the same value, by our own loader and by PyYAML's."""

from __future__ import annotations

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from olmv1.yaml import dump_yaml, load_all

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.text(
    "0123456789.eE+-_xob:~=nyoYN<", max_size=6
)
_SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | _TEXT
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4), max_leaves=12
)


@settings(derandomize=True, max_examples=120, deadline=None)
@given(_VALUES)
@example("a\x85b")
@example("a\n\x85b\u2028\u2029")
def test_dump_yaml_reads_back_equal(value: object) -> None:
    text = dump_yaml({"value": value})
    assert load_all(text.encode()) == [{"value": value}]
    assert yaml.safe_load(text) == {"value": value}
