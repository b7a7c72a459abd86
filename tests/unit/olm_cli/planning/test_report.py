from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from olm_cli.output.plain import plain_lines
from olm_cli.planning import Outlook, PlanSubject, State, blocks_of, document_of
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.served import Served
from operator_controller.approval import UpgradePolicy
from operator_controller.resolver import Request, resolve
from operator_controller.revisions.desired import as_stored
from operator_controller.rollout_plan import PlanInputs, RolloutPlan, plan_of
from tests.builders import a_bundle, a_condition, an_extension
from tests.rbac import a_binding, a_role, a_rule, an_account

PAUSED = "extras.olm.operatorframework.io/paused"
DIGEST = f"sha256:{'1' * 64}"
OLD, NEW = a_bundle("1.0.0"), a_bundle("1.1.0")


def an_object(kind: str, name: str, **members: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "n"}, **members}


def a_plan() -> RolloutPlan:
    old = [
        an_object("ConfigMap", "settings", data=dict.fromkeys("abcde", "1")),
        an_object("Pod", "till", spec={"containers": [{"name": "till", "image": "till:1"}]}),
        an_object("Secret", "key", data={"key": "b2xk"}),
        an_object("ConfigMap", "same"),
    ]
    hook = {"name": "a", "rules": [{"apiGroups": [""], "resources": ["pods"], "operations": ["CREATE"]}]}
    new = [
        an_object("ConfigMap", "settings", data=dict.fromkeys("abcde", "2")),
        an_object("Secret", "key", data={"key": "bmV3"}),
        an_object("ConfigMap", "same"),
        {"apiVersion": "x/v1", "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "w"}, "webhooks": [hook]},
        a_role("till", a_rule("secrets", "get"), a_rule("pods", "get", "x")),
        a_binding("till", an_account("clerk")),
    ]
    return plan_of(
        PlanInputs(
            extension="lantern",
            wanted=NEW,
            installed=OLD,
            old=[as_stored(each, "lantern", OLD) for each in old],
            new=new,
            image_digest=DIGEST,
            warnings=["odd"],
        )
    )


def an_outlook(
    state: State, *, waiting: str = "", is_changed: bool = False, metadata: dict[str, Any] | None = None, **members: Any
) -> Outlook:
    manifest = an_extension()
    manifest["metadata"] |= metadata or {}
    if waiting:
        message = f"upgrade from 1.0.0 to 1.1.0 waits for approval of plan {waiting}"
        manifest["status"] = {"conditions": [a_condition("UpgradePending", message=message)]}
    request = Request("lantern")
    ext, found = ClusterExtension.parse(manifest), resolve(request, ())
    subject = PlanSubject(ext, manifest, Served(), request, found, is_changed=is_changed)
    return Outlook(subject, state, UpgradePolicy.MANUAL, OLD, NEW, **members)


def shown(outlook: Outlook, *, is_whole: bool = False) -> list[str]:
    return list(plain_lines(blocks_of(outlook, is_whole=is_whole)))


def test_plan_is_shown_part_by_part() -> None:
    plan = a_plan()
    assert shown(an_outlook(State.WAITS, waiting=plan.hash, plan=plan)) == PLAN.format(hash=plan.hash).splitlines()


PLAN = """\
extension:   lantern
change:      1.0.0 → 1.1.0
bundle:      lantern.v1.1.0
image:       registry.example.com/lantern:1.1.0
digest:      sha256:1111111111111111111111111111111111111111111111111111111111111111
plan:        {hash}
policy:      Manual

Objects: 3 added, 2 changed, 1 removed, 1 unchanged
CHANGE    KIND                             NAME           FIELDS
added     ClusterRole                      till
added     ClusterRoleBinding               till-binding
changed   ConfigMap                        n/settings     .data.a: "1" → "2"
                                                          .data.b: "1" → "2"
                                                          .data.c: "1" → "2"
                                                          and 2 more fields; see --all
removed   Pod                              n/till
changed   Secret                           n/key          .data.key: secret
added     ValidatingWebhookConfiguration   w

Rights that the objects give
CHANGE   RISK      VERBS   RESOURCES   WHERE             FOR     FROM
added    secrets   get     secrets     every namespace   clerk   ClusterRole till
added              get     pods (x)    every namespace   clerk   ClusterRole till

Images
CHANGE    IMAGE
removed   till:1

Webhooks
CHANGE   WEBHOOK          SEES
added    validating w/a   CREATE of pods; if it is away: Fail

Warnings
  odd

lantern: waits for approval
  approve it with: olm approve lantern --plan {hash}
"""


def test_every_field_is_shown_when_asked_for() -> None:
    lines = shown(an_outlook(State.WAITS, plan=a_plan()), is_whole=True)
    assert '.data.e: "1" → "2"' in [line.strip() for line in lines]
    assert not [line for line in lines if "--all" in line]


@pytest.mark.parametrize(
    ("outlook", "end"),
    [
        pytest.param(an_outlook(State.NOTHING), ["lantern: nothing to do"], id="nothing"),
        pytest.param(an_outlook(State.UNDER_WAY), ["lantern: rolling out already"], id="under way"),
        pytest.param(
            an_outlook(State.NOTHING, image_changed_to="example.com/other:v1"),
            [
                "lantern: nothing to do",
                "  the catalog names another image for this bundle now, example.com/other:v1: it is not taken unless "
                "you ask for it with the annotation requested-at",
            ],
            id="another image",
        ),
        pytest.param(
            an_outlook(State.BLOCKED, obstacles=("one:\n  two",)),
            ["lantern: blocked", "  one:", "  two"],
            id="blocked before there is a plan",
        ),
        pytest.param(
            an_outlook(State.BLOCKED, obstacles=("pre-authorization failed: rights:\n  one",)),
            [
                "  pre-authorization failed: rights:",
                "  one",
                "  to write the rights: olm rbac lantern --extension lantern --namespace lantern-system "
                "--service-account installer --upgrades --apply",
            ],
            id="rights are missing",
        ),
        pytest.param(
            an_outlook(State.WAITS, plan=a_plan(), waiting="0123456789abcdef0123456789abcdef"),
            [
                "lantern: waits for approval",
                "  the condition of the extension names plan 0123456789abcdef0123456789abcdef: "
                "the controller sees something else than this; look again, and approve only what you have seen",
            ],
            id="the controller sees another plan",
        ),
        pytest.param(
            an_outlook(State.WAITS, plan=a_plan(), waiting="0123456789abcdef0123456789abcdef", is_changed=True),
            [
                "lantern: waits for approval",
                "  This is not what the spec asks for now: it is what the options ask for.",
            ],
            id="asked about something else",
        ),
        pytest.param(an_outlook(State.APPROVED, plan=a_plan()), ["lantern: approved"], id="approved"),
        pytest.param(
            an_outlook(State.WAITS, plan=a_plan(), metadata={"annotations": {PAUSED: "true"}}),
            [
                "lantern: waits for approval",
                "  approve it when the extension is no longer paused: "
                f"kubectl annotate clusterextension lantern {PAUSED}-",
            ],
            id="paused",
        ),
        pytest.param(
            an_outlook(State.NOTHING, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"}),
            ["lantern: nothing to do", "  the extension is being deleted: nothing is rolled out any more"],
            id="going",
        ),
    ],
)
def test_end_says_what_happens_next(outlook: Outlook, end: list[str]) -> None:
    assert shown(outlook)[-len(end) :] == end


def test_rebuilds_of_one_version_are_told_apart() -> None:
    outlook = replace(an_outlook(State.UNDER_WAY), wanted=replace(OLD, release="2"))
    assert shown(outlook)[1] == "change:      1.0.0 → 1.0.0+2"


def test_document_has_everything() -> None:
    plan = a_plan()
    found = document_of(an_outlook(State.WAITS, waiting=plan.hash, plan=plan, obstacles=("one",)))
    assert (found["state"], found["policy"], found["waiting"], found["obstacles"]) == (
        "waits for approval",
        "Manual",
        plan.hash,
        ["one"],
    )
    assert (found["plan"]["hash"], found["plan"]["digest"], found["plan"]["unchanged"]) == (plan.hash, DIGEST, 1)
    assert found["plan"]["objects"][-1]["kind"] == "ValidatingWebhookConfiguration"
    assert found["plan"]["rights"][0] == {
        "change": "added",
        "rule": {"namespace": "", "apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]},
        "risks": ["secrets"],
        "for": ["clerk"],
        "from": ["ClusterRole till"],
    }
    assert found["plan"]["images"] == {"added": [], "removed": ["till:1"]}
    assert found["plan"]["webhooks"] == [
        {"change": "added", "name": "validating w/a", "sees": "CREATE of pods; if it is away: Fail"}
    ]
    assert (found["plan"]["definitions"], found["plan"]["warnings"]) == ([], ["odd"])
