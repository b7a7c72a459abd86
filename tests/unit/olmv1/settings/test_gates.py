from __future__ import annotations

import pytest

from olmv1.settings.gates import FeatureGates, Gate, GateKind, parse_gates

KNOWN = (
    Gate("Switch", default=True),
    Gate("Fixed", default=False, kind=GateKind.FIXED, why="it is always done"),
    Gate("Refused", default=False, kind=GateKind.REFUSED, why="there is no such identity"),
)
DEFAULTS = {"AllAlpha": False, "AllBeta": False, "Fixed": False, "Refused": False, "Switch": True}


def test_parse_gates_gives_every_known_gate_its_default() -> None:
    assert parse_gates([], KNOWN) == FeatureGates(DEFAULTS)


def test_parse_gates_reads_repeated_comma_separated_pairs_and_the_last_one_wins() -> None:
    gates = parse_gates(["Switch=true, AllBeta=false", "Switch=false,"], KNOWN)
    assert gates == FeatureGates({**DEFAULTS, "Switch": False})


def test_parse_gates_tells_that_a_fixed_gate_has_no_effect() -> None:
    gates = parse_gates(["Fixed=true,AllAlpha=true"], KNOWN)
    assert gates.notices == (
        "feature gate AllAlpha=true has no effect",
        "feature gate Fixed=true has no effect: it is always done",
    )
    assert not gates.is_on("Fixed")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Nope=true", 'unknown feature gate "Nope": expected one of AllAlpha, AllBeta, Fixed, Refused, Switch'),
        ("Switch=maybe", 'feature gate Switch: invalid boolean "maybe": expected true or false'),
        ("Refused=true", "feature gate Refused cannot be switched on: there is no such identity"),
    ],
)
def test_parse_gates_refuses(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="gate") as caught:
        parse_gates([text], KNOWN)
    assert str(caught.value) == message


def test_parse_gates_accepts_switching_a_refused_gate_off() -> None:
    assert parse_gates(["Refused=false"], KNOWN).notices == ()
