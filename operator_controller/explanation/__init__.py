"""Why a ClusterExtension gets the bundle that it gets, or none: the explanation of one resolution.

Pure, and above the resolver: it reads the resolver's trace, asks it what else would happen, and decides nothing. Used
by `olm explain`, and by the reconciler for the Event that goes with a refusal.
"""

from __future__ import annotations

from operator_controller.explanation.alternative import Alternative
from operator_controller.explanation.cause import Cause, CauseKind, cause_of
from operator_controller.explanation.classic import Classic, ClassicChoice, Difference, Move, Rule
from operator_controller.explanation.examined import CandidateReport, CatalogReport, FilterReport
from operator_controller.explanation.explanation import Asked, Decision, Explanation, explain
from operator_controller.explanation.headline import HEADLINE_LIMIT, headline
from operator_controller.explanation.hops import Hops, HopsEnd, hops_of
from operator_controller.explanation.route import Route, route_of
from operator_controller.explanation.step import EdgeView, Step
from operator_controller.explanation.successors import Stream, Successor
from operator_controller.explanation.surroundings import Absence, LeftOut, Surroundings

__all__ = [
    "HEADLINE_LIMIT",
    "Absence",
    "Alternative",
    "Asked",
    "CandidateReport",
    "CatalogReport",
    "Cause",
    "CauseKind",
    "Classic",
    "ClassicChoice",
    "Decision",
    "Difference",
    "EdgeView",
    "Explanation",
    "FilterReport",
    "LeftOut",
    "Move",
    "Hops",
    "HopsEnd",
    "Route",
    "Rule",
    "Step",
    "Stream",
    "Successor",
    "Surroundings",
    "cause_of",
    "explain",
    "headline",
    "hops_of",
    "route_of",
]
