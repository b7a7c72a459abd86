"""Rights as the rules that people read: compacted, sorted, one line each. Rule: applying.md 4.6."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from operator_controller.authorization.rights import ANY, Right

__all__ = ["MissingRule", "compacted", "message_of"]

_HEAD = "pre-authorization failed:"
_REQUIRES = "service account requires the following permissions to manage cluster extension:"
_INCOMPLETE = "authorization evaluation error:"


@dataclass(frozen=True, slots=True)
class MissingRule:
    """Verbs on one resource, of one name or of all, or on one URL; `namespace` is empty for the whole cluster."""

    namespace: str
    api_groups: tuple[str, ...]
    resources: tuple[str, ...]
    resource_names: tuple[str, ...]
    verbs: tuple[str, ...]
    non_resource_urls: tuple[str, ...]

    def __str__(self) -> str:
        """`Namespace:"shop" APIGroups:[apps] Resources:[deployments] Verbs:[create]`; empty lists are left out."""
        lists = (
            ("APIGroups", self.api_groups),
            ("Resources", self.resources),
            ("ResourceNames", self.resource_names),
            ("Verbs", self.verbs),
            ("NonResourceURLs", self.non_resource_urls),
        )
        return f'Namespace:"{self.namespace}"' + "".join(
            f" {name}:[{','.join(values)}]" for name, values in lists if values
        )

    def to_json(self) -> dict[str, object]:
        """The rule as a Role has it, with its namespace."""
        lists = {
            "apiGroups": self.api_groups,
            "resources": self.resources,
            "resourceNames": self.resource_names,
            "verbs": self.verbs,
            "nonResourceURLs": self.non_resource_urls,
        }
        return {"namespace": self.namespace, **{name: list(values) for name, values in lists.items() if values}}


def compacted(rights: Iterable[Right]) -> tuple[MissingRule, ...]:
    """Rights that differ in the verb only as one rule, sorted as text."""
    verbs: defaultdict[Right, set[str]] = defaultdict(set)
    for right in rights:
        verbs[right._replace(verb="")].add(right.verb)
    rules = [_rule(right, (ANY,) if ANY in found else tuple(sorted(found))) for right, found in verbs.items()]
    return tuple(sorted(rules, key=str))


def message_of(rules: Sequence[MissingRule], problems: Sequence[str] = ()) -> str:
    """What a condition says about missing rules, and about what could not be evaluated; empty when there is neither."""
    if problems:
        return f"{_HEAD} {_INCOMPLETE} " + "\n".join(problems)
    return "\n".join([f"{_HEAD} {_REQUIRES}", *(f"  {rule}" for rule in rules)]) if rules else ""


def _rule(right: Right, verbs: tuple[str, ...]) -> MissingRule:
    if right.url:
        return MissingRule(right.namespace, (), (), (), verbs, (right.url,))
    names = (right.name,) if right.name else ()
    return MissingRule(right.namespace, (right.group,), (right.resource,), names, verbs, ())
