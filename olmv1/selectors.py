"""Label selectors of Kubernetes, as values: what a ClusterExtension selects catalogs with.

Rule: `metav1.LabelSelector`: every `matchLabels` pair and every expression must hold; absent and empty select all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Operator", "Requirement", "Selector"]


class Operator(StrEnum):
    """The operators that Kubernetes knows in `matchExpressions`."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One condition on one label; `values` is empty for `Exists` and `DoesNotExist`."""

    key: str
    operator: Operator
    values: frozenset[str] = frozenset()

    def holds(self, labels: Mapping[str, str]) -> bool:
        """Whether `labels` fulfil this condition; an absent label fulfils `NotIn`, as in Kubernetes."""
        match self.operator:
            case Operator.IN:
                return labels.get(self.key) in self.values
            case Operator.NOT_IN:
                return labels.get(self.key) not in self.values
            case Operator.EXISTS:
                return self.key in labels
            case Operator.DOES_NOT_EXIST:
                return self.key not in labels


@dataclass(frozen=True, slots=True)
class Selector:
    """A compiled label selector; without requirements it matches everything."""

    requirements: tuple[Requirement, ...] = ()

    @classmethod
    def parse(cls, selector: Mapping[str, Any] | None) -> Selector:
        """Compile a `LabelSelector` mapping.

        Raises:
            ValueError: an operator is unknown, or its values do not fit it.
        """
        spec = selector or {}
        equal = [
            Requirement(k, Operator.IN, frozenset([v])) for k, v in sorted((spec.get("matchLabels") or {}).items())
        ]
        return cls((*equal, *(_requirement(item) for item in spec.get("matchExpressions") or ())))

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether `labels` fulfil every requirement."""
        return all(requirement.holds(labels) for requirement in self.requirements)


def _requirement(item: Mapping[str, Any]) -> Requirement:
    key, operator, values = item.get("key") or "", item.get("operator"), tuple(item.get("values") or ())
    if operator not in set(Operator):
        known = ", ".join(Operator)
        raise ValueError(
            f'"{operator}" is not a valid label selector operator for key "{key}": expected one of {known}'
        )
    wants_values = operator in (Operator.IN, Operator.NOT_IN)
    if wants_values and not values:
        raise ValueError(f'values for key "{key}": for operator {operator}, at least one value is required')
    if not wants_values and values:
        raise ValueError(f'values for key "{key}": for operator {operator}, no values are allowed')
    return Requirement(key, Operator(operator), frozenset(values))
