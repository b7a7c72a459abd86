"""The answers about all extensions put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from operator_controller.upgrade_plan.goal import Goal
from operator_controller.upgrade_plan.judging import Answer, ExtensionPlan, Subject, judge

__all__ = ["UpgradePlan", "plan_of"]


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """The answers by name of the extension; with `is_strict` advice forbids as well."""

    goal: Goal
    extensions: tuple[ExtensionPlan, ...]
    is_strict: bool = False

    @property
    def blocking(self) -> tuple[ExtensionPlan, ...]:
        """The extensions that forbid the upgrade."""
        return tuple(
            each
            for each in self.extensions
            if each.verdict is Answer.BLOCKED or (self.is_strict and bool(each.advisories))
        )

    @property
    def answer(self) -> Answer:
        """No is stronger than unknown, and unknown stronger than yes."""
        if self.blocking:
            return Answer.BLOCKED
        is_unknown = any(each.verdict is Answer.UNKNOWN for each in self.extensions)
        return Answer.UNKNOWN if is_unknown else Answer.OK

    def to_json(self) -> Mapping[str, object]:
        """The same as plain values; `upgradeable` is `None` when nobody can tell."""
        return {
            "platform": self.goal.platform.value,
            "current": self.goal.current or None,
            "target": self.goal.target,
            "upgradeable": {Answer.OK: True, Answer.BLOCKED: False}.get(self.answer),
            "extensions": [each.to_json() for each in self.extensions],
        }


def plan_of(subjects: Iterable[Subject], goal: Goal, *, is_strict: bool = False) -> UpgradePlan:
    """The plan; takes milliseconds for each blocked extension, and nothing for the others."""
    judged = (judge(each, goal) for each in sorted(subjects, key=lambda each: each.name))
    return UpgradePlan(goal, tuple(judged), is_strict)
