"""Requirements of bundles: what they are, whether a set of bundles and a cluster meets them, and how to say it.

Owns `dependencies.md` 2 to 4, 7 and the wording of 10. Pure: the caller gathers bundles and served APIs. Used by the
dependency check of the controller, by `olm` and by the linting of catalogs.
"""

from __future__ import annotations

from olmv1.constraints.classic import Classic, ClassicResult, classic_of
from olmv1.constraints.evaluation import BY_CLUSTER, Evaluation, Finding, Judgement, evaluate
from olmv1.constraints.facts import Api, Facts, Index, Provider, apis_of, visible
from olmv1.constraints.lines import Advice, lines_of, no_advice
from olmv1.constraints.lint import lint
from olmv1.constraints.object_rules import OBJECT_LIBRARY, ObjectRules
from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    ApiRequired,
    KubernetesRequired,
    LabelRequired,
    Leaf,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
)
from olmv1.constraints.property import Property
from olmv1.constraints.requirements import REQUIREMENT_TYPES, Requirement, requirements_of
from olmv1.constraints.rules import LIBRARY, Rules, Ruling
from olmv1.constraints.text import api_text, text_of

__all__ = [
    "BY_CLUSTER",
    "LIBRARY",
    "OBJECT_LIBRARY",
    "REQUIREMENT_TYPES",
    "Advice",
    "AllOf",
    "AnyOf",
    "Api",
    "ApiRequired",
    "Classic",
    "ClassicResult",
    "Evaluation",
    "Facts",
    "Finding",
    "Index",
    "Judgement",
    "KubernetesRequired",
    "LabelRequired",
    "Leaf",
    "NoneOf",
    "ObjectRules",
    "PackageRequired",
    "Predicate",
    "Property",
    "Provider",
    "Requirement",
    "RuleRequired",
    "Rules",
    "Ruling",
    "api_text",
    "apis_of",
    "classic_of",
    "evaluate",
    "lines_of",
    "lint",
    "no_advice",
    "requirements_of",
    "text_of",
    "visible",
]
