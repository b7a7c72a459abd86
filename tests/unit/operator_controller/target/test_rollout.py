from __future__ import annotations

from dataclasses import replace

import pytest

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.served import Served
from operator_controller.revisions.desired import (
    ANNOTATION_CAPABILITIES,
    ANNOTATION_CERTIFICATES,
    ANNOTATION_OPTIONAL_KINDS,
)
from operator_controller.revisions.view import RevisionView
from operator_controller.target import Additions, needs_rollout, rollout_of
from tests.builders import a_bundle, a_rollout, a_view, an_extension

SERVED = Served("1.36.3", frozenset({("apps", "v1", "Deployment")}))
PLAIN = Additions()


@pytest.mark.parametrize(
    ("revisions", "is_needed"),
    [
        pytest.param([], True, id="first install"),
        pytest.param([a_view()], False, id="at rest"),
        pytest.param([a_view(inputs="sha256:1")], True, id="other inputs"),
        pytest.param([a_view(), a_view(2, inputs="sha256:1", has_succeeded=False)], True, id="stuck upgrade withdrawn"),
        pytest.param([a_view(is_active=False)], True, id="archived"),
        pytest.param([a_view(image="old")], True, id="other image"),
    ],
)
def test_needs_rollout_compares_with_the_newest_active_revision(revisions: list[RevisionView], is_needed: bool) -> None:
    assert needs_rollout(a_rollout(), revisions, SERVED) is is_needed


def test_needs_rollout_when_the_content_of_the_newest_revision_is_lost() -> None:
    assert needs_rollout(a_rollout(), [a_view()], SERVED, has_content=False)


def test_rollout_of_takes_everything_from_the_spec() -> None:
    ext = ClusterExtension.parse(an_extension(progressDeadlineMinutes=12))
    rollout = rollout_of(ext, a_bundle(), PLAIN)
    assert (rollout.extension, rollout.extension_uid, rollout.account, rollout.deadline_min) == (
        "lantern",
        "uid-ext",
        ("lantern-system", "installer"),
        12,
    )


def test_rollout_of_changes_its_inputs_with_the_configuration() -> None:
    configured = an_extension(config={"configType": "Inline", "inline": {"watchNamespace": "x"}})
    parsed = [ClusterExtension.parse(item) for item in (an_extension(), configured)]
    assert len({rollout_of(ext, a_bundle(), PLAIN).inputs for ext in parsed}) == 2


@pytest.mark.parametrize(
    "additions",
    [Additions(has_api_roles=True), Additions(ignores_hooks=True), Additions(proxy={"HTTP_PROXY": "http://p:3128"})],
)
def test_rollout_of_changes_its_inputs_with_every_addition(additions: Additions) -> None:
    ext = ClusterExtension.parse(an_extension())
    assert rollout_of(ext, a_bundle(), additions).inputs != rollout_of(ext, a_bundle(), PLAIN).inputs


@pytest.mark.parametrize(
    ("annotation", "recorded"),
    [
        (ANNOTATION_OPTIONAL_KINDS, "monitoring.coreos.com/v1/ServiceMonitor=absent"),
        (ANNOTATION_CAPABILITIES, '{"apis":{"monitoring.coreos.com/v1":false}}'),
    ],
)
def test_needs_rollout_when_the_cluster_answers_otherwise(annotation: str, recorded: str) -> None:
    revision = replace(a_view(), annotations={annotation: recorded})
    monitored = Served("1.36.3", SERVED.kinds | {("monitoring.coreos.com", "v1", "ServiceMonitor")})
    assert [needs_rollout(a_rollout(), [revision], served) for served in (SERVED, monitored)] == [False, True]


def test_rollout_of_without_account_acts_as_the_controller() -> None:
    ext = ClusterExtension.parse(an_extension(serviceAccount=None))
    assert rollout_of(ext, a_bundle(), PLAIN).account is None


@pytest.mark.parametrize(
    ("recorded", "provider", "is_needed"),
    [
        ({ANNOTATION_CERTIFICATES: "self-signed"}, "cert-manager", True),
        ({ANNOTATION_CERTIFICATES: "self-signed"}, "self-signed", False),
        ({ANNOTATION_CERTIFICATES: "self-signed"}, "", False),
        ({}, "cert-manager", False),
    ],
)
def test_needs_rollout_when_certificates_are_to_come_from_another_provider(
    recorded: dict[str, str], provider: str, is_needed: bool
) -> None:
    revision = replace(a_view(), annotations=recorded)
    assert needs_rollout(a_rollout(), [revision], SERVED, provider=provider) is is_needed
