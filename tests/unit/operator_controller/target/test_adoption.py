from __future__ import annotations

import pytest

from operator_controller.revisions.desired import object_set
from operator_controller.revisions.packing import Packed
from operator_controller.revisions.view import view_of
from operator_controller.target.extras import Additions, additions_of, adoption_of
from tests.builders import a_rollout, an_object_set

ADOPT = "extras.olm.operatorframework.io/adopt"


@pytest.mark.parametrize(
    ("annotations", "protection"),
    [({}, "Prevent"), ({ADOPT: "IfUnowned"}, "IfNoController"), ({ADOPT: "Always"}, "Prevent")],
)
def test_adoption_of_is_what_the_next_revision_may_take_over(annotations: dict[str, str], protection: str) -> None:
    assert adoption_of(annotations) == protection
    assert additions_of(annotations, {}).collision_protection == protection


def test_adoption_is_no_reason_for_another_rollout() -> None:
    assert Additions(collision_protection="IfNoController").to_json() == {}


def test_adoption_stands_in_the_revision() -> None:
    rollout = a_rollout(collision_protection="IfNoController")
    assert object_set(rollout, 1, Packed({}, ()), "olmv1-system")["spec"]["collisionProtection"] == "IfNoController"
    assert view_of(an_object_set(collisionProtection="IfNoController")).collision_protection == "IfNoController"
