from __future__ import annotations

import time
from collections.abc import Sequence

from olmv1.manifests import Manifest
from operator_controller.authorization import Account, KindMap, Missing, RbacSnapshot, Right, missing_rights, review_of
from tests.rbac import RBAC, a_binding, a_role, a_rule, a_url_rule, an_account, an_object

ACCOUNT = Account("shop", "installer")
HEAD = "pre-authorization failed: service account requires the following permissions to manage cluster extension:\n"
DEPLOYMENT = an_object("Deployment", api_version="apps/v1")


def check(objects: Sequence[Manifest], *rules: dict[str, object], others: tuple[Manifest, ...] = ()) -> Missing:
    """The check of an account with these rules in the whole cluster."""
    rbac = RbacSnapshot([a_role("mine", *rules), a_binding("mine", an_account()), *others])
    return missing_rights(objects, ACCOUNT, rbac, KindMap())


def test_missing_lists_every_rule_sorted_in_the_words_of_the_condition() -> None:
    objects = [DEPLOYMENT, an_object("Service", "till-metrics"), a_role("reader", a_url_rule("/metrics"))]
    found = check(objects, a_rule("services", "create", "till-metrics"))
    assert found.message == HEAD + (
        '  Namespace:"" APIGroups:[rbac.authorization.k8s.io] Resources:[clusterroles] ResourceNames:[reader] '
        "Verbs:[create,delete,patch]\n"
        '  Namespace:"" Verbs:[get] NonResourceURLs:[/metrics]\n'
        '  Namespace:"shop" APIGroups:[] Resources:[services] ResourceNames:[till-metrics] Verbs:[delete,patch]\n'
        '  Namespace:"shop" APIGroups:[apps] Resources:[deployments] ResourceNames:[till] Verbs:[create,delete,patch]'
    )


def test_missing_is_nothing_when_all_is_held() -> None:
    found = check([DEPLOYMENT], a_rule("deployments", "create delete patch", "till", group="apps"))
    assert (found, found.is_nothing, found.message) == (Missing(), True, "")


def test_missing_asks_for_create_alone_when_that_is_missing() -> None:
    found = check([DEPLOYMENT], a_rule("deployments", "delete patch", group="apps"))
    line = '  Namespace:"shop" APIGroups:[apps] Resources:[deployments] ResourceNames:[till] Verbs:[create]'
    assert found.message == HEAD + line


ROLE = a_role("op", a_rule("pods", "*"), a_rule("nodes", "get list"))
WRITE = a_rule("clusterroles clusterrolebindings", "create delete patch", group=RBAC)


def test_missing_lists_what_a_role_gives_once() -> None:
    found = check([ROLE, a_binding("op", an_account("op"))], WRITE, a_rule("nodes", "get"))
    assert found.message == HEAD + (
        '  Namespace:"" APIGroups:[] Resources:[nodes] Verbs:[list]\n'
        '  Namespace:"" APIGroups:[] Resources:[pods] Verbs:[*]'
    )


def test_missing_is_content_with_leave_to_escalate_and_bind_by_name() -> None:
    leave = [a_rule("clusterroles", verb, "op", group=RBAC) for verb in ("escalate", "bind")]
    objects = [ROLE, a_binding("op", an_account("op"))]
    assert check(objects, WRITE, *leave).is_nothing
    assert not check(objects, WRITE, leave[0]).is_nothing
    assert not check(objects, WRITE, a_rule("clusterroles", "escalate bind", "other", group=RBAC)).is_nothing


def test_missing_of_an_aggregated_role_is_everything() -> None:
    role = a_role("all", aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]})
    assert check([role], WRITE).message == HEAD + (
        '  Namespace:"" APIGroups:[*] Resources:[*] Verbs:[*]\n  Namespace:"" Verbs:[*] NonResourceURLs:[*]'
    )


def test_missing_asks_for_leave_to_bind_a_role_that_is_not_there() -> None:
    found = check([a_binding("gone", namespace="shop")], a_rule("rolebindings", "create delete patch", group=RBAC))
    line = 'Namespace:"shop" APIGroups:[rbac.authorization.k8s.io] Resources:[roles] ResourceNames:[gone] Verbs:[bind]'
    assert found.message == f"{HEAD}  {line}"


def test_missing_says_only_what_cannot_be_evaluated() -> None:
    found = check([DEPLOYMENT, an_object("Thing", api_version="example.com/v1")])
    assert found.message == (
        "pre-authorization failed: authorization evaluation error: could not get REST mapping for object 1 in manifest "
        'with GVK example.com/v1, Kind=Thing (name: till): no matches for kind "Thing" in version "example.com/v1"'
    )


def test_missing_is_confirmed_with_questions_about_uses_and_leave() -> None:
    objects = [ROLE, DEPLOYMENT]
    found = check(objects, WRITE)
    escalate = Right("", RBAC, "clusterroles", "op", "escalate")
    uses = [Right("shop", "apps", "deployments", "till", verb) for verb in ("create", "delete", "patch")]
    assert found.questions == (escalate, *uses)
    assert found.without(uses).questions == (escalate,)
    assert [str(rule) for rule in found.without([escalate, *uses[:2]]).rules] == [
        'Namespace:"shop" APIGroups:[apps] Resources:[deployments] ResourceNames:[till] Verbs:[patch]'
    ]
    assert found.without(found.questions).is_nothing


def test_review_asks_for_one_right_as_the_account() -> None:
    assert review_of(Right("shop", "apps", "deployments/scale", "till", "patch"), ACCOUNT)["spec"] == {
        "user": "system:serviceaccount:shop:installer",
        "groups": ["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"],
        "resourceAttributes": {
            "namespace": "shop",
            "verb": "patch",
            "group": "apps",
            "resource": "deployments",
            "subresource": "scale",
            "name": "till",
        },
    }


def test_missing_rights_takes_milliseconds_for_a_large_bundle() -> None:
    rules = [a_rule(f"kind-{number}", "get list watch create update patch delete") for number in range(100)]
    objects = [a_role("op", *rules), *(an_object("Secret", f"s-{number}") for number in range(500))]
    began = time.process_time()
    assert check(objects, WRITE, *rules, a_rule("secrets", "*")).is_nothing
    assert time.process_time() - began < 0.5
