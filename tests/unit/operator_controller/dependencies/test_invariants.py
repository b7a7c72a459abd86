from __future__ import annotations

from typing import Any

import pytest

from operator_controller.dependencies import ClusterFacts, Inventory, Mode, check
from tests.requirements import BLUE, a_candidate, an_api, an_extension

_WITH_CRD = {"objects": frozenset({("CustomResourceDefinition", "blues.example.com")})}


@pytest.mark.parametrize("mode", list(Mode))
def test_check_blocks_foreign_crds_in_every_mode(mode: Mode) -> None:
    owners = {"z.example.com": "other", "a.example.com": None, "m.example.com": "red"}
    verdict = check(a_candidate("red", "1.0.0"), mode, ClusterFacts(crd_owners=owners))
    assert str(verdict.failure) == (
        'CustomResourceDefinition "a.example.com" is not managed by OLM\n'
        'CustomResourceDefinition "z.example.com" is managed by ClusterExtension "other"'
    )
    assert not verdict.is_held_for_requirements


@pytest.mark.parametrize(
    ("ours", "theirs", "shared"),
    [
        (_WITH_CRD, _WITH_CRD, 'CustomResourceDefinition "blues.example.com"'),
        ({"properties": (an_api(BLUE),)}, {"properties": (an_api(BLUE),)}, "API Blue.v1.blues.example.com"),
    ],
)  # fmt: skip
def test_check_blocks_the_second_extension_of_a_package(ours: Any, theirs: Any, shared: str) -> None:
    first = an_extension("first", "1.0.0", package="blue", created="2026-01-01T00:00:00Z", **theirs)
    second = a_candidate("second", "1.0.0", package="blue", created="2026-02-01T00:00:00Z", **ours)
    verdict = check(second, Mode.IGNORE, ClusterFacts(Inventory([first])))
    text = f'ClusterExtension "first" already asks for package "blue", and both have {shared}: an object has one owner'
    assert (str(verdict.failure), verdict.warnings) == (text, ())


def test_check_warns_when_two_extensions_of_a_package_share_nothing() -> None:
    first = an_extension("a", "", package="blue", created="2026-01-01T00:00:00Z")
    second = a_candidate("b", "1.0.0", an_api(BLUE), package="blue", created="2026-01-01T00:00:00Z")
    verdict = check(second, Mode.CHECK, ClusterFacts(Inventory([first])))
    text = 'ClusterExtension "a" already asks for package "blue", too; they share no object as far as is known'
    assert (verdict.failure, verdict.warnings) == (None, (text,))


def test_check_lets_the_first_extension_of_a_package_go() -> None:
    second = an_extension("b", "1.0.0", an_api(BLUE), package="blue", created="2026-01-01T00:00:00Z")
    first = a_candidate("a", "1.0.0", an_api(BLUE), package="blue", created="2026-01-01T00:00:00Z")
    verdict = check(first, Mode.CHECK, ClusterFacts(Inventory([second])))
    assert (verdict.failure, verdict.warnings) == (None, ())
