from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from operator_controller.approval import finding_ids, plan_hash
from operator_controller.crd_safety import CrdVerdict, Finding, Judged, Outcome, Remark, Risk, Stage

DIGEST = f"sha256:{'1' * 64}"


def a_config_map(name: str, **data: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "n"}, "data": data}


ONE, TWO = a_config_map("one", a="1", b="2"), a_config_map("two")
FINDINGS = ("lamps.example.com:minimum:v1:^.spec.size", "objects of x/v1/Y are left out")
HASH = plan_hash([ONE, TWO], DIGEST, FINDINGS)


def test_hash_stays_the_same_from_release_to_release() -> None:
    assert HASH == "62c22f3bc34ea3e8eece2d3f36740b28"


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(plan_hash([TWO, ONE], DIGEST, FINDINGS), id="order of objects"),
        pytest.param(plan_hash([a_config_map("one", b="2", a="1"), TWO], DIGEST, FINDINGS), id="order of keys"),
        pytest.param(plan_hash([ONE, TWO], DIGEST, (*FINDINGS[::-1], FINDINGS[0])), id="order of findings"),
        pytest.param(plan_hash([MappingProxyType(ONE), TWO], DIGEST, FINDINGS), id="another type of mapping"),
    ],
)
def test_hash_is_the_same_for_the_same_plan(same: str) -> None:
    assert same == HASH


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(plan_hash([ONE], DIGEST, FINDINGS), id="an object less"),
        pytest.param(plan_hash([ONE, TWO, TWO], DIGEST, FINDINGS), id="an object twice"),
        pytest.param(plan_hash([a_config_map("one", a="1", b="3"), TWO], DIGEST, FINDINGS), id="a value"),
        pytest.param(plan_hash([a_config_map("one", a=1, b="2"), TWO], DIGEST, FINDINGS), id="a number for a text"),
        pytest.param(plan_hash([ONE, TWO], f"sha256:{'2' * 64}", FINDINGS), id="the image"),
        pytest.param(plan_hash([ONE, TWO], DIGEST, FINDINGS[:1]), id="a finding"),
        pytest.param(plan_hash([ONE, TWO], DIGEST, FINDINGS, basis="values"), id="a basis"),
    ],
)
def test_hash_differs_for_another_plan(other: str) -> None:
    assert other != HASH


def test_order_inside_a_list_counts() -> None:
    one, other = a_config_map("one", args=["a", "b"]), a_config_map("one", args=["b", "a"])
    assert plan_hash([one], DIGEST, ()) != plan_hash([other], DIGEST, ())


def test_basis_stands_for_objects_that_are_random() -> None:
    one, other = a_config_map("one", password="x"), a_config_map("one", password="y")
    assert plan_hash([one], DIGEST, (), basis="values") == plan_hash([other], DIGEST, (), basis="values")
    assert plan_hash([one], DIGEST, (), basis="values") != plan_hash([one], DIGEST, (), basis="others")


@pytest.mark.parametrize("value", [2**100, float("nan"), ("a", "b"), {"x"}, b"bytes", None], ids=str)
def test_odd_values_have_a_hash(value: object) -> None:
    assert len(plan_hash([a_config_map("one", odd=value)], DIGEST, ())) == 32


def a_verdict(*findings: tuple[str, Outcome]) -> CrdVerdict:
    judged = (
        Judged(Finding("lamps.example.com", Stage.SAME_VERSION, "v1", "^.a", "^.a", Remark(check, "x", Risk.SAFE)), out)
        for check, out in findings
    )
    return CrdVerdict("lamps.example.com", tuple(judged))


def test_finding_ids_depend_on_no_stored_object() -> None:
    empty = a_verdict(("minimum", Outcome.HARMLESS))
    full = a_verdict(("minimum", Outcome.HARMS), ("storedObjects", Outcome.HARMS))
    assert finding_ids([empty], ["b", "a", "b"]) == finding_ids([full], ["a", "b"])
    assert finding_ids([full], ["b", "a"]) == ("a", "b", "lamps.example.com:minimum:v1:^.a")
