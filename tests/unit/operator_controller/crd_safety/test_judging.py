from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety import (
    Accepted,
    CrdVerdict,
    ObjectsToRead,
    Outcome,
    Stored,
    StoredCheck,
    failure_of,
    judge,
    objects_to_read,
)
from tests.definitions import LAMPS, a_definition, a_lamp, a_schema, a_version, with_field

STRING = {"type": "string"}
START = f'validating upgrade for CRD "{LAMPS}": '
REMOVED = f"{LAMPS}:existingFieldRemoval:v1:^.spec.size"
RULE = {"x-kubernetes-validations": [{"rule": "self > 1"}]}


def judged(old: Any, new: Any, *lamps: Any, accept: tuple[str, ...] = ()) -> CrdVerdict:
    check = StoredCheck(old, new)
    check.add(lamps)
    return judge(old, new, None, Accepted(frozenset(accept)), check.result())


def outcomes(verdict: CrdVerdict) -> list[Outcome]:
    return [each.outcome for each in verdict.findings]


def test_breaking_changes_block_in_the_words_of_the_specification() -> None:
    old = a_definition(a_version(schema=a_schema(size=STRING)), stored=["v1", "v1beta1"])
    new = a_definition(a_version(schema=a_schema(size={"type": "integer"})), scope="Cluster")
    assert judge(old, new).failure == (
        f'{START}scope: scope changed : "Namespaced" -> "Cluster"\n'
        "storedVersionRemoval: stored versions removed : [v1beta1]\n"
        'v1: ^.spec.size: type: type changed : "string" -> "integer"'
    )


def test_changes_that_depend_on_objects_block_when_those_are_not_known() -> None:
    verdict = judge(with_field(STRING), with_field({**STRING, "maxLength": 3}))
    text = "v1: ^.spec.size: maxLength: maxLength constraint added when there was none previously : 3"
    assert (verdict.failure, outcomes(verdict)) == (f"{START}{text}", [Outcome.UNKNOWN])


def test_removed_field_blocks_with_the_objects_that_would_lose_data() -> None:
    lamps = [a_lamp("desk", size="5"), a_lamp("door")]
    verdict = judged(with_field(STRING), with_field(None), *lamps)
    assert verdict.failure == (
        f"{START}existingFieldRemoval: removed field : v1.^.spec.size (1 object would lose data: shop/desk)\n"
        'v1: ^.spec.size: type: type changed : "string" -> "" (1 object would lose data: shop/desk)'
    )


def test_removed_field_that_nobody_uses_is_harmless() -> None:
    verdict = judged(with_field(STRING), with_field(None), a_lamp("door"))
    assert (verdict.failure, outcomes(verdict)) == (None, [Outcome.HARMLESS, Outcome.HARMLESS])
    assert [each.note for each in verdict.findings] == ["none of 1 object"] * 2


def test_five_objects_are_named_and_the_others_counted() -> None:
    lamps = [a_lamp(f"lamp-{number}", size=str(number)) for number in range(7)]
    verdict = judged(with_field(STRING), with_field({**STRING, "enum": ["a"]}), *lamps)
    names = ", ".join(f"shop/lamp-{number}" for number in range(5))
    note = f"7 objects would become invalid: {names} and 2 more"
    assert verdict.failure == (
        f'{START}v1: ^.spec.size: enum: enum constraint added when there was none previously : ["a"] ({note})'
    )


def test_accepting_a_removed_field_accepts_what_follows_from_it() -> None:
    verdict = judged(with_field(STRING), with_field(None), a_lamp("desk", size="5"), accept=(REMOVED,))
    accepted = f'CRD "{LAMPS}": accepted: '
    assert (verdict.failure, outcomes(verdict)) == (None, [Outcome.ACCEPTED, Outcome.ACCEPTED])
    assert verdict.warnings == (
        f"{accepted}existingFieldRemoval: removed field : v1.^.spec.size (1 object would lose data: shop/desk)",
        f'{accepted}v1: ^.spec.size: type: type changed : "string" -> "" (1 object would lose data: shop/desk)',
    )


def test_accepting_a_removed_free_form_field_accepts_all_that_was_in_it() -> None:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    old, new, lamp = with_field(free), with_field(None), a_lamp("desk", size={"a": {"b": 1}})
    assert outcomes(judged(old, new, lamp)) == [Outcome.HARMS] * 3
    assert judged(old, new, lamp, accept=(REMOVED,)).failure is None


def test_accepting_one_finding_accepts_no_other() -> None:
    old = a_definition(a_version(schema=a_schema(a=STRING, b=STRING)))
    new = a_definition(a_version(schema=a_schema(a={"type": "integer"}, b={"type": "integer"})))
    verdict = judge(old, new, None, Accepted(frozenset({f"{LAMPS}:type:v1:^.spec.a"})))
    assert verdict.failure == f'{START}v1: ^.spec.b: type: type changed : "string" -> "integer"'


def test_accepting_what_is_not_found_is_warned_about() -> None:
    accepted = Accepted(frozenset({f"{LAMPS}:scope", "others.example.com:scope"}))
    verdict = judge(a_definition(), a_definition(), None, accepted)
    assert verdict.warnings == (f'CRD "{LAMPS}": "{LAMPS}:scope" is accepted, but there is no such finding',)


def test_rule_that_is_not_run_is_unknown_once_there_are_objects() -> None:
    old, new = with_field({"type": "integer"}), with_field({"type": "integer", **RULE})
    text = "v1: ^.spec.size: unhandled: unhandled changes found (XValidations <empty> -> <complex value>)"
    verdict = judged(old, new, a_lamp("desk", size=1))
    assert verdict.failure == f"{START}{text} (whether it harms 1 object cannot be told)"
    assert judged(old, new).failure is None


def test_objects_that_could_not_all_be_read_leave_it_unknown() -> None:
    old, new = with_field(STRING), with_field({**STRING, "maxLength": 3})
    verdict = judge(old, new, stored=Stored(20_000, is_complete=False))
    text = "v1: ^.spec.size: maxLength: maxLength constraint added when there was none previously : 3"
    assert verdict.failure == f"{START}{text} (only 20000 objects could be looked at)"


def test_harm_that_no_check_explains_blocks_by_itself() -> None:
    old, new = with_field({**STRING, "nullable": True}), with_field(STRING)
    for definition in (old, new):
        spec = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
        spec["required"] = ["size"]
    verdict = judged(old, new, a_lamp("desk", size=None))
    line = 'v1: ^.spec: storedObjects: would become invalid: "size" is a required property'
    assert verdict.failure == f"{START}{line} (1 object would become invalid: shop/desk)"


@pytest.mark.parametrize(
    ("stored", "line"),
    [
        (None, "definitionRemoval: objects of kind Lamp would be lost, how many is not known"),
        (Stored(1, ("shop/a",)), "definitionRemoval: 1 object of kind Lamp would be lost (shop/a)"),
        (Stored(2, ("shop/a", "shop/b")), "definitionRemoval: 2 objects of kind Lamp would be lost (shop/a, shop/b)"),
        (
            Stored(0, is_complete=False),
            "definitionRemoval: objects of kind Lamp would be lost, how many is not known",
        ),
        (
            Stored(2, ("shop/a", "shop/b"), is_complete=False),
            "definitionRemoval: more than 2 objects of kind Lamp would be lost (shop/a, shop/b)",
        ),
    ],
)
def test_definition_that_goes_is_blocked_by_its_objects(stored: Stored | None, line: str) -> None:
    assert judge(a_definition(), None, stored=stored).failure == f"{START}{line}"
    accepted = Accepted(frozenset({f"{LAMPS}:definitionRemoval"}))
    assert judge(a_definition(), None, None, accepted, stored).failure is None


def test_definition_without_objects_may_go() -> None:
    verdict = judge(a_definition(), None, stored=Stored(0))
    assert (verdict.failure, outcomes(verdict)) == (None, [Outcome.HARMLESS])


def test_nothing_is_checked_without_enforcement_or_without_an_old_definition() -> None:
    for old, new, enforcement in (
        (a_definition(), a_definition(scope="Cluster"), "None"),
        (a_definition(), None, "None"),
        (None, a_definition(), None),
    ):
        assert judge(old, new, enforcement).findings == ()
        assert judge(old, new, enforcement).failure is None
    assert judge(a_definition(), a_definition(scope="Cluster"), "Strict").failure is not None


def test_failures_of_several_definitions_are_joined_by_name() -> None:
    verdicts = [CrdVerdict("b", failure="second"), CrdVerdict("c"), CrdVerdict("a", failure="first")]
    assert failure_of(verdicts) == "first\nsecond"
    assert failure_of(verdicts[1:2]) is None


def test_objects_are_wanted_only_when_the_verdict_depends_on_them() -> None:
    lamps = ObjectsToRead("example.com", "v1", "lamps", "Lamp", is_namespaced=True)
    old = with_field(STRING)
    assert objects_to_read(old, with_field({**STRING, "minLength": 1})) == lamps
    safe = [(old, with_field({**STRING, "nullable": True})), (old, old), (None, old)]
    assert [objects_to_read(*pair) for pair in safe] == [None, None, None]
    assert objects_to_read(old, with_field(None), "None") is None


def test_of_a_definition_that_goes_only_names_are_wanted() -> None:
    old = a_definition(scope="Cluster")
    found = ObjectsToRead("example.com", "v1", "lamps", "Lamp", is_namespaced=False, metadata_only=True)
    assert objects_to_read(old, None) == found


def test_objects_that_nobody_serves_cannot_be_wanted() -> None:
    old = a_definition(a_version(served=False))
    assert objects_to_read(old, None) is None
