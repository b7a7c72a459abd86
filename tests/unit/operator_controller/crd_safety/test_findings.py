from __future__ import annotations

from operator_controller.crd_safety import Finding, Remark, Risk, Stage

REMARK = Remark("minimum", "minimum increased : 1 -> 3", Risk.NEEDS_DATA)


def test_finding_of_a_field_is_printed_with_version_and_path() -> None:
    found = Finding("lamps.example.com", Stage.SAME_VERSION, "v1", "^.spec.size", "^.spec.size", REMARK)
    assert found.line == "v1: ^.spec.size: minimum: minimum increased : 1 -> 3"
    assert (found.id, found.target) == ("lamps.example.com:minimum:v1:^.spec.size", "v1")


def test_finding_between_versions_counts_for_the_later_one() -> None:
    found = Finding("lamps.example.com", Stage.SERVED_VERSIONS, "v1alpha1 -> v1", "^", "^", REMARK)
    assert found.line == "v1alpha1 -> v1: ^: minimum: minimum increased : 1 -> 3"
    assert (found.id, found.target) == ("lamps.example.com:minimum:v1alpha1->v1:^", "v1")


def test_finding_of_a_definition_is_printed_with_its_check() -> None:
    remark = Remark("storedVersionRemoval", "stored versions removed : [v1]", Risk.BREAKING)
    found = Finding("lamps.example.com", Stage.DEFINITION, "", "", "^", remark, label="v1")
    assert (found.line, found.id) == (
        "storedVersionRemoval: stored versions removed : [v1]",
        "lamps.example.com:storedVersionRemoval:v1",
    )
