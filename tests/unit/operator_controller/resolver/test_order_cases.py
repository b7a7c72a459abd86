"""The table of the order of bundles by version and release."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml

from olmv1.fbc import Bundle
from operator_controller.resolver import index_package
from tests.packages import a_bundle, a_package

_TABLE = yaml.safe_load((Path(__file__).parents[3] / "cases" / "order" / "releases.yaml").read_text(encoding="utf-8"))
_CASES = [pytest.param(case, id=case["id"]) for case in _TABLE["cases"]]


def _bundle(text: str) -> Bundle:
    version, is_explicit, release = text.partition(" release ")
    return a_bundle(f"b.{text}", version=version, release=release if is_explicit else None)


@pytest.mark.parametrize("case", _CASES)
def test_bundles_are_ordered_as_the_table_says(case: Mapping[str, Any]) -> None:
    expected: list[list[str]] = case.get("ours", case["result"])
    texts = [text for line in expected for text in line]
    for turned in list(permutations(texts))[:24]:
        candidates = index_package(a_package([_bundle(text) for text in turned])).candidates
        # Best first in the index; among equals the first name is.
        names = [each.name for each in candidates]
        assert names == [f"b.{text}" for line in reversed(expected) for text in sorted(line)]
    keys = [[_key(text) for text in line] for line in expected]
    assert all(len(set(line)) == 1 for line in keys)
    assert [line[0] for line in keys] == sorted({key for line in keys for key in line}, key=lambda key: key or ())


def _key(text: str) -> tuple[object, ...] | None:
    [candidate] = index_package(a_package([_bundle(text)])).candidates
    return candidate.version.key if candidate.version else None
