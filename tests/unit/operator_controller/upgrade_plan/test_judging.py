from __future__ import annotations

import pytest

from olmv1.manifests import ObjectKey
from operator_controller.upgrade_plan import Answer, ExtensionPlan, Objects, Subject, judge
from tests.explanations import a_place, a_request
from tests.upgrade_plans import a_goal, a_subject, recorded, supporting

CRON = ObjectKey("batch", "v1beta1", "CronJob", "shop", "nightly")
GONE = "CronJob.batch/v1beta1 shop/nightly: not served by Kubernetes 1.25 and later, use batch/v1"


def told(found: ExtensionPlan) -> tuple[str, Answer, str, str]:
    return found.max, found.verdict, found.reason, found.message


def blocked(maximum: str, before: str) -> str:
    return (
        f'bundle "p.v1.0.0" supports OpenShift up to {maximum}; '
        f"it must be updated or removed before the cluster can go to {before}"
    )


@pytest.mark.parametrize(
    ("maximum", "target", "answer"),
    [
        ("4.18", "", ("4.18", Answer.BLOCKED, "IncompatibleWithNextMinor", blocked("4.18", "4.19"))),
        ("4.18", "4.21", ("4.18", Answer.BLOCKED, "IncompatibleWithNextMinor", blocked("4.18", "4.19"))),
        ("4.19", "4.21", ("4.19", Answer.BLOCKED, "IncompatibleWithNextMinor", blocked("4.19", "4.20"))),
        ("4.21", "4.21", ("4.21", Answer.OK, "Compatible", 'bundle "p.v1.0.0" supports OpenShift up to 4.21')),
        (None, "4.21", ("", Answer.OK, "Compatible", "no maximum declared")),
        (
            "four",
            "",
            (
                "",
                Answer.BLOCKED,
                "InvalidMaxOpenShiftVersion",
                "error converting to semver for version four: invalid version format",
            ),
        ),
    ],
)
def test_extension_is_judged_at_the_first_version_that_it_refuses(
    maximum: str | None, target: str, answer: tuple[str, Answer, str, str]
) -> None:
    assert told(judge(a_subject(a_request("1.0.0"), maximum=maximum), a_goal(target))) == answer


def test_rollout_under_way_counts_as_well() -> None:
    bundles = (recorded("1.0.0", "4.20"), recorded("1.1.0", "4.18"))
    found = judge(a_subject(a_request("1.0.0"), bundles=bundles), a_goal())
    assert (found.bundle, found.verdict) == ("p.v1.1.0", Answer.BLOCKED)


def test_extension_without_anything_installed_agrees() -> None:
    found = judge(a_subject(a_request(), installed="", bundles=()), a_goal())
    assert told(found) == ("", Answer.OK, "NothingInstalled", "nothing is installed")


def test_catalog_speaks_for_a_bundle_without_a_record() -> None:
    place = a_place({"stable": ["1.0.0"]}, (supporting("1.0.0", "4.18"),))
    found = judge(a_subject(a_request("1.0.0"), place, bundles=()), a_goal())
    assert (found.verdict, found.max, found.warnings) == (
        Answer.BLOCKED,
        "4.18",
        ("judged by what a catalog tells: nothing is recorded of the bundle",),
    )


def test_bundle_that_nobody_knows_is_unknown() -> None:
    text = (
        'the properties of bundle "p.v1.0.0" cannot be read: it has no ClusterObjectSet, and no catalog has the bundle'
    )
    found = judge(a_subject(a_request("1.0.0"), bundles=()), a_goal())
    assert told(found) == ("", Answer.UNKNOWN, "MetadataUnavailable", text)


def test_extension_that_cannot_be_read_is_judged_by_its_record() -> None:
    found = judge(a_subject(None, problem="spec.namespace is missing"), a_goal())
    assert (found.verdict, found.way_out, found.obstacle) == (Answer.BLOCKED, None, "spec.namespace is missing")


def on_kubernetes(objects: Objects) -> ExtensionPlan:
    return judge(a_subject(a_request("1.0.0"), objects=objects), a_goal("kubernetes=1.36"))


def test_kubernetes_is_not_held_back_by_a_maximum_of_openshift() -> None:
    found = on_kubernetes(Objects((CRON,)))
    text = "bundles declare no highest version of Kubernetes"
    assert told(found) == ("", Answer.OK, "Compatible", text)
    assert [each.message for each in found.advisories] == [GONE]


def test_kubernetes_is_unknown_without_the_objects() -> None:
    found = on_kubernetes(Objects(problem="the dump has no Secret a/b"))
    text = "nobody can tell whether it has objects that Kubernetes 1.36 does not know: the dump has no Secret a/b"
    assert (found.verdict, found.message) == (Answer.UNKNOWN, text)


def test_openshift_is_told_of_removed_apis_and_of_objects_that_could_not_be_read() -> None:
    subject: Subject = a_subject(a_request("1.0.0"), maximum=None, objects=Objects((CRON,)))
    assert [each.message for each in judge(subject, a_goal()).advisories] == [GONE]
    unread = a_subject(a_request("1.0.0"), maximum=None, objects=Objects(problem="no rights"))
    found = judge(unread, a_goal())
    assert (found.verdict, found.unchecked) == (Answer.OK, ("removed Kubernetes APIs: no rights",))
