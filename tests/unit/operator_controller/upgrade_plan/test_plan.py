from __future__ import annotations

import pytest

from olmv1.manifests import ObjectKey
from operator_controller.upgrade_plan import Answer, Objects, Subject, plan_of
from tests.explanations import a_request
from tests.upgrade_plans import a_goal, a_subject

CRON = ObjectKey("batch", "v1beta1", "CronJob", "shop", "nightly")
OK = a_subject(a_request("1.0.0"), maximum=None, name="a")
BLOCKED = a_subject(a_request("1.0.0"), name="b")
UNKNOWN = a_subject(a_request("1.0.0"), bundles=(), name="c")
ADVISED = a_subject(a_request("1.0.0"), maximum=None, objects=Objects((CRON,)), name="d")


@pytest.mark.parametrize(
    ("subjects", "answer"),
    [
        ((), Answer.OK),
        ((OK, ADVISED), Answer.OK),
        ((OK, UNKNOWN), Answer.UNKNOWN),
        ((UNKNOWN, BLOCKED, OK), Answer.BLOCKED),
    ],
)
def test_no_is_stronger_than_unknown_and_unknown_stronger_than_yes(
    subjects: tuple[Subject, ...], answer: Answer
) -> None:
    assert plan_of(subjects, a_goal()).answer is answer


def test_advice_forbids_only_when_it_is_strict() -> None:
    assert plan_of((OK, ADVISED), a_goal(), is_strict=True).answer is Answer.BLOCKED
    assert plan_of((OK, UNKNOWN), a_goal(), is_strict=True).answer is Answer.UNKNOWN


def test_plan_as_json() -> None:
    found = plan_of((UNKNOWN, OK), a_goal()).to_json()
    extensions = found["extensions"]
    assert isinstance(extensions, list)
    assert {key: value for key, value in found.items() if key != "extensions"} == {
        "platform": "OpenShift",
        "current": "4.18",
        "target": "4.19",
        "upgradeable": None,
    }
    assert extensions[0] == {
        "name": "a",
        "package": "p",
        "bundle": "p.v1.0.0",
        "version": "1.0.0",
        "max": "",
        "verdict": "ok",
        "reason": "Compatible",
        "message": "no maximum declared",
        "advisories": [],
        "unchecked": [],
        "warnings": [],
        "wayOut": None,
        "obstacle": "",
        "suggestions": [],
    }
