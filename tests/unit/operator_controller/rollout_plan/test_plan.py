from __future__ import annotations

from dataclasses import replace
from typing import Any

from operator_controller.crd_safety import CrdVerdict
from operator_controller.revisions.desired import as_stored
from operator_controller.rollout_plan import Change, PlanInputs, plan_of
from tests.builders import a_bundle

DIGEST = f"sha256:{'1' * 64}"
OLD, NEW = a_bundle("1.0.0"), a_bundle("1.1.0")


def a_map(name: str, **data: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "n"}, "data": data}


INPUTS = PlanInputs(
    extension="lantern",
    wanted=NEW,
    installed=OLD,
    old=[as_stored(each, "lantern", OLD) for each in (a_map("same"), a_map("x", a="1"), a_map("gone"))],
    new=[a_map("same"), a_map("x", a="2"), a_map("new")],
    image_digest=DIGEST,
    definitions=[CrdVerdict("lamps.example.com")],
    warnings=["odd"],
)


def test_plan_tells_what_changes() -> None:
    plan = plan_of(INPUTS)
    assert [(each.key.name, each.change) for each in plan.objects] == [
        ("gone", Change.REMOVED),
        ("new", Change.ADDED),
        ("x", Change.CHANGED),
    ]
    assert (plan.unchanged, plan.installed, plan.wanted, plan.image_digest) == (1, OLD, NEW, DIGEST)
    assert (plan.definitions, plan.warnings) == ((CrdVerdict("lamps.example.com"),), ("odd",))


def test_first_install_adds_everything() -> None:
    plan = plan_of(replace(INPUTS, installed=None, old=()))
    assert ({each.change for each in plan.objects}, plan.unchanged) == ({Change.ADDED}, 0)


def test_plan_is_the_same_in_whatever_order_objects_come() -> None:
    assert plan_of(replace(INPUTS, old=INPUTS.old[::-1], new=INPUTS.new[::-1])) == plan_of(INPUTS)


def test_hash_is_about_what_comes_and_not_about_what_was() -> None:
    plan = plan_of(INPUTS)
    assert plan_of(replace(INPUTS, old=(), installed=None)).hash == plan.hash
    assert plan_of(replace(INPUTS, warnings=())).hash != plan.hash
    assert plan_of(replace(INPUTS, basis="random")).hash != plan.hash
