from __future__ import annotations

import pytest

from olmv1.api.cluster_extension import ClusterExtension
from operator_controller.revisions.view import RevisionView
from operator_controller.target import needs_rollout, rollout_of
from tests.builders import a_bundle, a_rollout, a_view, an_extension


@pytest.mark.parametrize(
    ("revisions", "is_needed"),
    [
        pytest.param([], True, id="first install"),
        pytest.param([a_view()], False, id="at rest"),
        pytest.param([a_view(inputs="sha256:1")], True, id="other inputs"),
        pytest.param([a_view(), a_view(2, inputs="sha256:1", has_succeeded=False)], True, id="stuck upgrade withdrawn"),
        pytest.param([a_view(is_active=False)], True, id="archived"),
        pytest.param([a_view(image="old")], False, id="other image of what is installed"),
        pytest.param([a_view(image="old", has_succeeded=False)], True, id="other image of what never came up"),
    ],
)
def test_needs_rollout_compares_with_the_newest_active_revision(revisions: list[RevisionView], is_needed: bool) -> None:
    assert needs_rollout(a_rollout(), revisions) is is_needed


def test_needs_rollout_when_the_content_of_the_newest_revision_is_lost() -> None:
    assert needs_rollout(a_rollout(), [a_view()], has_content=False)


def test_rollout_of_takes_everything_from_the_spec() -> None:
    ext = ClusterExtension.parse(an_extension(progressDeadlineMinutes=12))
    rollout = rollout_of(ext, a_bundle())
    assert (rollout.extension, rollout.extension_uid, rollout.account, rollout.deadline_min) == (
        "lantern",
        "uid-ext",
        ("lantern-system", "installer"),
        12,
    )


def test_rollout_of_changes_its_inputs_with_the_configuration() -> None:
    configured = an_extension(config={"configType": "Inline", "inline": {"watchNamespace": "x"}})
    inputs = {rollout_of(ClusterExtension.parse(item), a_bundle()).inputs for item in (an_extension(), configured)}
    assert len(inputs) == 2


def test_rollout_of_without_account_acts_as_the_controller() -> None:
    ext = ClusterExtension.parse(an_extension(serviceAccount=None))
    assert rollout_of(ext, a_bundle()).account is None
