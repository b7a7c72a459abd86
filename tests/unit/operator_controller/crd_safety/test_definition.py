from __future__ import annotations

import pytest

from operator_controller.crd_safety.definition import definition_of, is_definition, version_rank
from tests.definitions import a_definition, a_version


def test_definition_is_read_from_its_manifest() -> None:
    found = definition_of(a_definition(a_version("v2"), a_version("v1", storage=False), stored=["v1", "v2"]))
    assert (found.name, found.group, found.kind, found.plural, found.scope) == (
        "lamps.example.com",
        "example.com",
        "Lamp",
        "lamps",
        "Namespaced",
    )
    assert [each.name for each in found.versions] == ["v2", "v1"]
    assert (found.stored_versions, found.has_webhook, found.prunes, found.problems) == (("v1", "v2"), False, True, ())


@pytest.mark.parametrize("manifest", [None, 1, [], {}, {"spec": 1}, {"spec": {"versions": [1, {}, {"name": 2}]}}])
def test_anything_else_has_no_versions(manifest: object) -> None:
    assert definition_of(manifest).versions == ()


def test_objects_are_read_in_the_stored_version_when_it_is_served() -> None:
    alpha = a_version("v1alpha1", storage=False)
    hidden = a_version("v1", served=False)
    readable = [
        definition_of(each).readable
        for each in (a_definition(alpha, a_version()), a_definition(alpha, hidden), a_definition(hidden))
    ]
    assert [each and each.name for each in readable] == ["v1", "v1alpha1", None]


def test_versions_ascend_as_in_kubernetes() -> None:
    names = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"]
    assert sorted(names, key=version_rank, reverse=True) == [*names[:-2], "foo10", "foo1"]


def test_other_kinds_and_versions_are_no_definitions() -> None:
    old = {**a_definition(), "apiVersion": "apiextensions.k8s.io/v1beta1"}
    assert [is_definition(each) for each in (a_definition(), old, {"kind": "Lamp"}, None)] == [
        True,
        False,
        False,
        False,
    ]
