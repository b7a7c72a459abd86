from __future__ import annotations

from typing import Any

import pytest

from operator_controller.uninstall import Loss, held_text, is_brought, is_doomed, recount_s

LAMPS, SHADES = "lamps.example.com", "shades.example.com"
WAY_OUT = (
    "the deletion waits: annotate the ClusterExtension with "
    'extras.olm.operatorframework.io/confirm-delete-crds: "true" to lose them, or with '
    "extras.olm.operatorframework.io/on-delete: KeepCRDs to keep them and their CRDs (Orphan: to keep everything)"
)
SEVEN = tuple(f"shop/{number}" for number in range(7))


def owned_by(uid: str, *, controller: bool = True, **metadata: Any) -> dict[str, Any]:
    reference = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": uid, "controller": controller}
    return {"metadata": {"name": LAMPS, "ownerReferences": [reference], **metadata}}


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        pytest.param(Loss(LAMPS, "Lamp"), "", id="none"),
        pytest.param(
            Loss(LAMPS, "Lamp", 1, ("desk",)), f"1 object of kind Lamp would be lost ({LAMPS}: desk)", id="one"
        ),
        pytest.param(
            Loss(LAMPS, "Lamp", 2, ("shop/a", "shop/b")),
            f"2 objects of kind Lamp would be lost ({LAMPS}: shop/a, shop/b)",
            id="two",
        ),
        pytest.param(
            Loss(LAMPS, "Lamp", 7, SEVEN),
            f"7 objects of kind Lamp would be lost ({LAMPS}: shop/0, shop/1, shop/2, shop/3, shop/4 and 2 more)",
            id="more than are named",
        ),
        pytest.param(
            Loss(LAMPS, "Lamp", 10, ("shop/a",), is_complete=False),
            f"more than 10 objects of kind Lamp would be lost ({LAMPS}: shop/a and more)",
            id="not all were counted",
        ),
        pytest.param(
            Loss(LAMPS, "Lamp", problem="webhook is down"),
            f"objects of kind Lamp would be lost, how many is not known ({LAMPS}: webhook is down)",
            id="could not be counted",
        ),
    ],
)
def test_loss_in_words(loss: Loss, text: str) -> None:
    assert loss.text == text


@pytest.mark.parametrize(
    ("losses", "text"),
    [
        pytest.param([], "", id="no kinds"),
        pytest.param([Loss(LAMPS, "Lamp")], "", id="no objects"),
        pytest.param(
            [Loss(SHADES, "Shade", 1, ("a",)), Loss("bulbs.example.com", "Bulb"), Loss(LAMPS, "Lamp", 1, ("b",))],
            f"1 object of kind Lamp would be lost ({LAMPS}: b)\n"
            f"1 object of kind Shade would be lost ({SHADES}: a)\n{WAY_OUT}",
            id="some kinds",
        ),
    ],
)
def test_deletion_is_held_by_losses_only(losses: list[Loss], text: str) -> None:
    assert held_text(losses) == text


def test_kinds_that_are_not_listed_are_counted() -> None:
    lines = held_text(Loss(f"k{number:02}.example.com", "K", 1, ("a",)) for number in range(23)).split("\n")
    assert (len(lines), lines[-2:]) == (22, ["and objects of 3 more kinds", WAY_OUT])


@pytest.mark.parametrize(
    ("obj", "brought"),
    [
        pytest.param(owned_by("mine"), True, id="by a revision"),
        pytest.param(owned_by("other"), False, id="by another extension"),
        pytest.param(owned_by("mine", controller=False), False, id="not controlled"),
        pytest.param({"metadata": {"name": "x"}}, False, id="by a person"),
    ],
)
def test_object_that_the_extension_brought_is_no_loss(obj: dict[str, Any], brought: bool) -> None:
    assert is_brought(obj, {"mine", "mine too"}) is brought


@pytest.mark.parametrize(
    ("definition", "doomed"),
    [
        pytest.param(owned_by("mine"), True, id="of a revision"),
        pytest.param(owned_by("other"), False, id="of another extension"),
        pytest.param(owned_by("mine", deletionTimestamp="2026-01-01T00:00:00Z"), False, id="going anyway"),
        pytest.param(owned_by("mine", annotations={"helm.sh/resource-policy": "keep"}), False, id="kept by its author"),
    ],
)
def test_definition_that_would_go(definition: dict[str, Any], doomed: bool) -> None:
    assert is_doomed(definition, {"mine"}) is doomed


@pytest.mark.parametrize(
    ("took_s", "pause_s"),
    [
        pytest.param(0.02, 5.0, id="a few objects"),
        pytest.param(0.5, 25.0, id="many kinds"),
        pytest.param(30.0, 60.0, id="a slow cluster"),
    ],
)
def test_recount_s_leaves_most_of_the_time_to_others(took_s: float, pause_s: float) -> None:
    assert recount_s(took_s) == pause_s
