"""What follows by itself: hop after hop, as the resolver would choose them, until nothing moves any more.

Rule: resolution.md 15, "next hops simulated up to the end (with a stop on repetition)", and 16.22.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from operator_controller.explanation.neighbourhood import Neighbourhood
from operator_controller.explanation.reading import Catalogs
from operator_controller.explanation.step import Step, recorded, step_of_choice
from operator_controller.resolver import Chosen, Request, Unresolved, resolve

__all__ = ["Hops", "HopsEnd", "hops_of"]


class HopsEnd(StrEnum):
    """Why no hop follows."""

    SETTLED = "settled"
    REFUSED = "refused"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class Hops:
    """Steps in order; `message` is the refusal that ends refused hops, else empty."""

    steps: tuple[Step, ...]
    end: HopsEnd
    message: str = ""

    @property
    def last(self) -> str:
        """The bundle at the end; empty without steps."""
        return self.steps[-1].bundle if self.steps else ""


def hops_of(request: Request, answer: Chosen | Unresolved, catalogs: Catalogs) -> Hops:
    """The hops that begin with `answer`, when the request and the catalogs stay as they are."""
    nearby = Neighbourhood(catalogs)
    steps: list[Step] = []
    seen = {request.installed_name}
    while isinstance(answer, Chosen):
        if answer.is_installed:
            return Hops(tuple(steps), HopsEnd.SETTLED)
        if answer.bundle.name in seen:
            return Hops(tuple(steps), HopsEnd.REPEATED)
        step = step_of_choice(request, answer, catalogs)
        steps.append(step)
        seen.add(step.bundle)
        request = replace(request, installed=recorded(step))
        answer = resolve(request, nearby.around(request))
    return Hops(tuple(steps), HopsEnd.REFUSED, answer.message)
