"""What a person approves: the same plan in whatever order its parts come, another one whenever anything differs."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from operator_controller.approval import plan_hash
from operator_controller.rollout_plan.fields import changed_fields

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
VALUES = st.recursive(
    LEAVES, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside, max_size=3)
)
NAMED = st.lists(st.fixed_dictionaries({"name": st.text(max_size=2), "value": VALUES}), max_size=3)
OBJECTS = st.fixed_dictionaries({"kind": st.sampled_from(["ConfigMap", "Secret"]), "data": VALUES | NAMED})


def text_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@given(st.lists(OBJECTS, max_size=4), st.lists(st.text(max_size=3), max_size=3), st.randoms())
def test_order_means_nothing(objects: list[Any], findings: list[str], random: Any) -> None:
    mixed, others = [*objects], [*findings, *findings]
    random.shuffle(mixed)
    random.shuffle(others)
    assert plan_hash(mixed, "sha256:1", others) == plan_hash(objects, "sha256:1", findings)


@given(OBJECTS, OBJECTS)
def test_hash_tells_objects_apart(one: Any, other: Any) -> None:
    is_same = plan_hash([one], "sha256:1", ()) == plan_hash([other], "sha256:1", ())
    assert is_same is (text_of(one) == text_of(other))


@given(OBJECTS, OBJECTS)
def test_fields_are_told_when_anything_but_the_order_of_names_differs(one: Any, other: Any) -> None:
    assert list(changed_fields(one, one)) == []
    changes, back = list(changed_fields(one, other)), list(changed_fields(other, one))
    assert {each.path for each in changes} == {each.path for each in back}
    if not changes:
        assert sorted(text_of(one)) == sorted(text_of(other))
