from __future__ import annotations

import pytest

from olmv1.errors import TerminalError
from operator_controller.revisions.phases import sort_into_phases
from tests.builders import an_object


def test_sort_into_phases_follows_the_fixed_order_and_leaves_out_empty_phases() -> None:
    objects = [
        an_object("Deployment", "d", "apps/v1"),
        an_object("Lantern", "cr", "lights.example.com/v1"),
        an_object("ServiceAccount", "sa"),
        an_object("CustomResourceDefinition", "crd", "apiextensions.k8s.io/v1"),
        an_object("Service", "svc"),
    ]
    names = [(phase.name, [item["metadata"]["name"] for item in phase.objects]) for phase in sort_into_phases(objects)]
    assert names == [
        ("identity", ["sa"]),
        ("crds", ["crd"]),
        ("infrastructure", ["svc"]),
        ("deploy", ["d", "cr"]),
    ]


def test_sort_into_phases_sorts_by_namespace_and_name_within_a_kind() -> None:
    objects = [an_object(name=name, metadata={"namespace": space}) for space, name in ("bb", "ba", "ab")]
    (phase,) = sort_into_phases(objects)
    assert [(o["metadata"]["namespace"], o["metadata"]["name"]) for o in phase.objects] == [
        ("a", "b"),
        ("b", "a"),
        ("b", "b"),
    ]


def test_sort_into_phases_splits_a_large_kind() -> None:
    phases = sort_into_phases(an_object(name=f"c{number:03}") for number in range(101))
    assert [(phase.name, len(phase.objects)) for phase in phases] == [
        ("configuration", 50),
        ("configuration-2", 50),
        ("configuration-3", 1),
    ]


def test_sort_into_phases_refuses_more_than_fits() -> None:
    with pytest.raises(TerminalError, match="bundle has 3201 objects in 65 phases: at most 64 phases fit"):
        sort_into_phases(an_object(name=f"c{number:04}") for number in range(3201))


def test_sort_into_phases_keeps_one_of_equal_objects() -> None:
    (phase,) = sort_into_phases([an_object(), an_object()])
    assert phase.objects == (an_object(),)


def test_sort_into_phases_refuses_two_objects_of_one_identity() -> None:
    message = "bundle has two different objects of one identity: ConfigMap.v1 lantern-system/thing"
    with pytest.raises(TerminalError, match=message):
        sort_into_phases([an_object(), an_object(data={"a": "b"})])


def test_sort_into_phases_puts_what_webhooks_look_at_behind_them() -> None:
    rules = [{"apiGroups": ["lights.example.com"], "operations": ["CREATE"], "resources": ["lanterns"]}]
    objects = [
        an_object("Lantern", "guarded", "lights.example.com/v1"),
        an_object("Shade", "free", "lights.example.com/v1"),
        an_object("Deployment", "d", "apps/v1"),
        an_object("MutatingWebhookConfiguration", "m", "admissionregistration.k8s.io/v1", webhooks=[{"rules": rules}]),
    ]
    names = [(phase.name, [item["metadata"]["name"] for item in phase.objects]) for phase in sort_into_phases(objects)]
    assert names == [("deploy", ["d", "free"]), ("admission", ["m"]), ("guarded", ["guarded"])]
