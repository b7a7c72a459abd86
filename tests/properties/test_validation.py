"""Validation of catalogs that nobody wrote: it answers, and the same whatever the order of the blobs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.fbc.validation import Code, Report, SourceFile, examine_files, examine_lines, tree
from olmv1.yaml import YamlError, documents, dump_json
from tests.properties import yaml_documents

_NAMES = st.sampled_from(["a", "b", "c.v1.0.0", "c.v2.0.0", "", "X y"])
_ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | _NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)


def _or_any(good: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return good | _ANY


_TYPES = ["olm.package", "olm.gvk", "olm.constraint", "olm.bundle.object", "olm.package.required"]
_RANGES = ["<1.0.0", ">=1.0.0", "~1"]
_PROPERTY: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"extra": _ANY},
    optional={
        "type": st.sampled_from(
            ["olm.package", "olm.gvk", "olm.constraint", "olm.bundle.object", "olm.package.required"]
        ),
        "value": _or_any(
            st.fixed_dictionaries(
                {"packageName": _NAMES, "version": st.sampled_from(["1.0.0", "1.0.0+1", "1", ""])},
                optional={"release": st.sampled_from(["", "1", "01"]), "all": _ANY, "data": _NAMES},
            )
        ),
    },
)
_ENTRY: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"name": _NAMES},
    optional={
        "replaces": _NAMES,
        "skips": st.lists(_NAMES, max_size=2),
        "skipRange": st.sampled_from(_RANGES),
    },
)
_BLOB: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"schema": st.sampled_from(["olm.package", "olm.channel", "olm.bundle", "olm.deprecations", "other"])},
    optional={
        "name": _NAMES,
        "package": _NAMES,
        "defaultChannel": _or_any(_NAMES),
        "entries": _or_any(st.lists(_or_any(_ENTRY), max_size=4)),
        "properties": _or_any(st.lists(_or_any(_PROPERTY), max_size=3)),
        "image": _or_any(st.sampled_from(["", "a", "A b"])),
        "relatedImages": _ANY,
        "icon": _ANY,
    },
)
_BLOBS = st.lists(_BLOB | _ANY, max_size=8)


def examined(blobs: list[Any]) -> Report:
    return examine_lines([dump_json(blob) for blob in blobs])


@settings(derandomize=True, deadline=None, max_examples=75)
@given(_BLOBS)
def test_validation_of_anything_answers(blobs: list[Any]) -> None:
    report = examined(blobs)
    assert len(report.findings) == report.errors + report.warnings
    assert bool(tree(report.findings)) == bool(report.errors)


# Which of two blobs with one name is the second depends on the order, and with it what is said of either.
_BY_ORDER = {code for code in Code if code.startswith("duplicate-")}


@settings(derandomize=True, deadline=None, max_examples=50)
@given(_BLOBS, st.randoms(use_true_random=False))
def test_validation_finds_the_same_in_any_order(blobs: list[Any], random: Any) -> None:
    before = examined(blobs)
    if {finding.code for finding in before.findings} & _BY_ORDER:
        return
    shuffled = random.sample(blobs, len(blobs))
    codes = Counter((finding.severity, finding.code) for finding in examined(shuffled).findings)
    assert codes == Counter((finding.severity, finding.code) for finding in before.findings)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.binary(max_size=40) | yaml_documents.fragments() | yaml_documents.documents())
def test_validation_of_any_text_answers(content: bytes) -> None:
    report = examine_files([SourceFile("a.yaml", content)])
    assert len(report.findings) == report.errors + report.warnings


def values(content: bytes, *, is_wary: bool) -> list[Any] | str:
    try:
        return list(documents(content, is_wary=is_wary))
    except YamlError as error:
        return str(error)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(yaml_documents.documents())
def test_wary_reading_changes_no_value(content: bytes) -> None:
    assert values(content, is_wary=True) == values(content, is_wary=False)
