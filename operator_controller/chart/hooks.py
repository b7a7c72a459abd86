"""Hooks: objects that Helm would create at moments of its own. Nothing here has such moments.

Rule: helm-charts.md, "hooks".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from olmv1.api.names import ANNOTATION_CHART_HOOKS
from olmv1.manifests import Manifest, annotations_of, key_of
from operator_controller.chart.errors import ChartError

__all__ = ["ANNOTATION_CHART_HOOKS", "IGNORE_HOOKS", "without_hooks"]

IGNORE_HOOKS = "Ignore"
"""The value of the annotation `chart-hooks` that installs a chart without its hooks."""

_HOOK = "helm.sh/hook"
_TESTS = frozenset({"test", "test-success", "test-failure"})


def without_hooks(
    objects: Iterable[Manifest], chart_name: str, *, ignore: bool
) -> tuple[tuple[Manifest, ...], tuple[str, ...]]:
    """The objects that are no hooks, and warnings about hooks that were left out on the user's word.

    Raises: ChartError naming every hook but tests, unless `ignore`.
    """
    kept, hooks = [], []
    for manifest in objects:
        events = _events_of(manifest)
        if not events:
            kept.append(manifest)
        elif not set(events) <= _TESTS:
            hooks.append(_shown(manifest, events))
    if hooks and not ignore:
        raise ChartError(
            f'chart "{chart_name}" has hooks, which are not run: {"; ".join(sorted(hooks))}; '
            f'set the annotation {ANNOTATION_CHART_HOOKS} to "{IGNORE_HOOKS}" to install it without them'
        )
    warning = f'hooks of chart "{chart_name}" are left out: {"; ".join(sorted(hooks))}'
    return tuple(kept), (warning,) if hooks else ()


def _events_of(manifest: Manifest) -> Sequence[str]:
    text = annotations_of(manifest).get(_HOOK) or ""
    return [event.strip().lower() for event in text.split(",") if event.strip()]


def _shown(manifest: Manifest, events: Sequence[str]) -> str:
    key = key_of(manifest)
    return f'{key.kind} "{key.name}" ({", ".join(events)})'
