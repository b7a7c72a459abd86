"""Feature gates: `--feature-gates=Name=true,Other=false`, repeatable.

What the reference gates and we always do stays a known gate, so that its manifests work; a change that has no effect is
kept in `FeatureGates.notices` for the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from olmv1.settings.values import parse_bool

__all__ = ["FeatureGates", "Gate", "GateKind", "parse_gates"]


class GateKind(Enum):
    """What setting a gate does."""

    SWITCH = auto()
    """Both values are honoured."""
    FIXED = auto()
    """Known, but always at its default; another value gives a notice."""
    REFUSED = auto()
    """Switching it on is an error: what it gates is not offered."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One known gate; `why` completes the sentence of the notice or refusal."""

    name: str
    default: bool
    kind: GateKind = GateKind.SWITCH
    why: str = ""


_EVERYWHERE = (Gate("AllAlpha", False, GateKind.FIXED), Gate("AllBeta", False, GateKind.FIXED))


@dataclass(frozen=True, slots=True)
class FeatureGates:
    """The state of every known gate, and what to tell the user about values without effect."""

    states: Mapping[str, bool]
    notices: tuple[str, ...] = ()

    def is_on(self, name: str) -> bool:
        """Whether the gate `name`, which must be known, is on."""
        return self.states[name]


def parse_gates(texts: Iterable[str], known: Iterable[Gate]) -> FeatureGates:
    """The states after all `Name=bool` pairs of `texts`; the last one wins.

    Raises:
        ValueError: a pair is malformed, a gate is unknown (the message lists the known ones) or refused.
    """
    gates = {gate.name: gate for gate in (*known, *_EVERYWHERE)}
    states = {gate.name: gate.default for gate in gates.values()}
    notices: dict[str, str] = {}
    for pair in (pair.strip() for text in texts for pair in text.split(",")):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        gate = gates.get(name.strip())
        if gate is None:
            raise ValueError(f'unknown feature gate "{name}": expected one of {", ".join(sorted(gates))}')
        wanted = _state_of(gate, value.strip())
        if gate.kind is GateKind.SWITCH:
            states[gate.name] = wanted
        elif wanted != gate.default:
            notices[gate.name] = _notice(gate, wanted)
    return FeatureGates(dict(sorted(states.items())), tuple(notices[name] for name in sorted(notices)))


def _state_of(gate: Gate, value: str) -> bool:
    try:
        wanted = parse_bool(value)
    except ValueError as error:
        raise ValueError(f"feature gate {gate.name}: {error}") from error
    if wanted and gate.kind is GateKind.REFUSED:
        raise ValueError(f"feature gate {gate.name} cannot be switched on: {gate.why}")
    return wanted


def _notice(gate: Gate, wanted: bool) -> str:
    text = f"feature gate {gate.name}={str(wanted).lower()} has no effect"
    return f"{text}: {gate.why}" if gate.why else text
