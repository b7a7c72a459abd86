"""The webhooks that the API server would call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest, name_of
from operator_controller.rollout_plan.objects import Change
from operator_controller.rollout_plan.parts import mapping_at, mappings_at

__all__ = ["WebhookChange", "webhook_changes"]

_CONFIGURATIONS = {"MutatingWebhookConfiguration": "mutating", "ValidatingWebhookConfiguration": "validating"}
_DEFINITION = "CustomResourceDefinition"
_PLACE = "clientConfig"


@dataclass(frozen=True, slots=True)
class WebhookChange:
    """`name` says which webhook; `text` what it sees and whether its absence fails requests, as it will be."""

    name: str
    change: Change
    text: str


def webhook_changes(old: Iterable[Manifest], new: Iterable[Manifest]) -> tuple[WebhookChange, ...]:
    """The webhooks that come, change and go, by name; where they are and whose certificate counts is left out."""
    before, after = dict(_webhooks(old)), dict(_webhooks(new))
    found = []
    for name in sorted({**before, **after}):
        was, now = before.get(name), after.get(name)
        if was != now:
            change = Change.ADDED if was is None else Change.REMOVED if now is None else Change.CHANGED
            found.append(WebhookChange(name, change, _text(now or was or {})))
    return tuple(found)


def _webhooks(objects: Iterable[Manifest]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for each in objects:
        kind = str(each.get("kind"))
        if kind in _CONFIGURATIONS:
            for hook in mappings_at(each, "webhooks"):
                kept = {field: value for field, value in hook.items() if field != _PLACE}
                yield f"{_CONFIGURATIONS[kind]} {name_of(each)}/{hook.get('name')}", kept
        elif kind == _DEFINITION and mapping_at(each, "spec", "conversion").get("strategy") == "Webhook":
            yield f"conversion {name_of(each)}", {"conversion": True}


def _text(hook: Mapping[str, Any]) -> str:
    """`CREATE, UPDATE of apps/deployments; if it is away: Fail`."""
    if "conversion" in hook:
        return "converts between versions; if it is away, objects cannot be read"
    seen = [f"{_joined(rule, 'operations')} of {_resources(rule)}" for rule in mappings_at(hook, "rules")]
    what = "; ".join(seen) or "nothing"
    return f"{what}; if it is away: {hook.get('failurePolicy') or 'Fail'}"


def _resources(rule: Mapping[str, Any]) -> str:
    groups, resources = _texts(rule.get("apiGroups")), _texts(rule.get("resources"))
    return ", ".join(f"{group}/{name}" if group else name for group in groups for name in resources)


def _joined(rule: Mapping[str, Any], field: str) -> str:
    return ", ".join(_texts(rule.get(field)))


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []
