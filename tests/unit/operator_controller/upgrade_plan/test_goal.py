from __future__ import annotations

import pytest

from olmv1.errors import OlmError, RetryableError, TerminalError
from operator_controller.upgrade_plan import ClusterFacts, Goal, Platform, goal_of
from operator_controller.upgradeability import CurrentVersion, Minor


def openshift(version: str, kube_version: str = "") -> ClusterFacts:
    return ClusterFacts(CurrentVersion(Minor.of_version(version)), kube_version)


def way(goal: Goal) -> list[str]:
    return [str(each) for each in goal.minors]


@pytest.mark.parametrize(
    ("text", "current", "minors", "kubernetes"),
    [
        ("", "4.18.9", ["4.19"], "1.32"),
        ("4.20", "4.18.9", ["4.19", "4.20"], "1.33"),
        ("openshift=4.20", "4.19.0", ["4.20"], "1.33"),
        ("", "4.22.1", ["4.23"], "1.36"),
        ("5.0", "4.22.1", ["5.0"], "1.36"),
        ("", "4.23.0", ["5.1"], "1.37"),
        ("5.2", "4.22.0", ["4.23", "5.1", "5.2"], "1.38"),
    ],
)
def test_goal_names_every_minor_version_on_the_way(text: str, current: str, minors: list[str], kubernetes: str) -> None:
    goal = goal_of(text, openshift(current))
    assert (goal.platform, way(goal), goal.kubernetes_text) == (Platform.OPENSHIFT, minors, kubernetes)


def test_goal_far_away_has_an_end() -> None:
    goal = goal_of("7.0", openshift("4.18.0"))
    assert (way(goal)[0], way(goal)[-1], goal.kubernetes) == ("4.19", "7.0", None)


def test_goal_of_openshift_needs_no_current_version() -> None:
    expected = Goal(Platform.OPENSHIFT, "", "4.20", (Minor(4, 20),), (1, 33))
    assert goal_of("4.20", ClusterFacts()) == expected


@pytest.mark.parametrize(
    ("text", "facts", "goal"),
    [
        ("kubernetes=1.36", ClusterFacts(), Goal(Platform.KUBERNETES, "", "1.36", kubernetes=(1, 36))),
        (
            "kubernetes=1.36",
            openshift("4.18.0", "1.31.4"),
            Goal(Platform.KUBERNETES, "1.31", "1.36", kubernetes=(1, 36)),
        ),
        ("", ClusterFacts(None, "1.35.2"), Goal(Platform.KUBERNETES, "1.35", "1.36", kubernetes=(1, 36))),
    ],
)
def test_goal_of_kubernetes(text: str, facts: ClusterFacts, goal: Goal) -> None:
    assert goal_of(text, facts) == goal


UNKNOWN = ClusterFacts(CurrentVersion(None, 'the ClusterVersion "version" names no version of the cluster'))


@pytest.mark.parametrize(
    ("text", "facts", "kind", "message"),
    [
        (
            "soon",
            ClusterFacts(),
            TerminalError,
            '--target soon: expected a minor version such as 4.20 or kubernetes=1.36, found "soon"',
        ),
        (
            "4.18",
            openshift("4.18.9"),
            TerminalError,
            "--target 4.18: expected a minor version above that of the cluster, which is 4.18",
        ),
        (
            "kubernetes=1.31",
            ClusterFacts(None, "1.31.4"),
            TerminalError,
            "--target kubernetes=1.31: expected a minor version above that of the cluster, which is 1.31.4",
        ),
        (
            "",
            ClusterFacts(),
            RetryableError,
            "nobody says which version the cluster has: name the version to go to with --target X.Y",
        ),
        (
            "",
            UNKNOWN,
            RetryableError,
            'the ClusterVersion "version" names no version of the cluster; name the version to go to with --target X.Y',
        ),
    ],
)
def test_goal_that_is_none_is_refused(text: str, facts: ClusterFacts, kind: type[OlmError], message: str) -> None:
    with pytest.raises(kind) as refused:
        goal_of(text, facts)
    assert str(refused.value) == message
