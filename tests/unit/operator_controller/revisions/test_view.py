from __future__ import annotations

from typing import Any

import pytest

from operator_controller.revisions.desired import object_set
from operator_controller.revisions.packing import Packed
from operator_controller.revisions.view import (
    account_of,
    active,
    extension_of,
    family_of,
    installed,
    is_torn_down,
    missing_account,
    view_of,
)
from tests.builders import a_condition, a_rollout, a_view, an_object_set


def test_view_of_reads_back_what_a_rollout_wrote() -> None:
    view = view_of(object_set(a_rollout(deadline_min=10), 2, Packed({}, ()), "ns"))
    assert (view.bundle, view.account, view.inputs, view.deadline_min) == (
        a_rollout().bundle,
        ("lantern-system", "installer"),
        "sha256:0",
        10,
    )
    assert (view.name, view.number, view.is_active, view.has_succeeded) == ("lantern-2", 2, True, False)


def test_view_of_sees_success_and_deletion() -> None:
    stored = an_object_set(conditions=[a_condition("Succeeded"), a_condition("Progressing")])
    deleting = {**stored, "metadata": {**stored["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    assert (view_of(stored).has_succeeded, view_of(stored).progressing) == (True, a_condition("Progressing"))
    assert (view_of(stored).is_active, view_of(deleting).is_active) == (True, False)


def test_installed_is_the_highest_active_success() -> None:
    views = [a_view(3, has_succeeded=False), a_view(1), a_view(2), a_view(4, is_active=False)]
    assert [view.number for view in active(views)] == [1, 2, 3]
    assert (installed(views), installed(views[:1])) == (views[2], None)


def test_account_of_needs_both_annotations() -> None:
    one = {"olm.operatorframework.io/service-account-name": "a"}
    both = {**one, "olm.operatorframework.io/service-account-namespace": "n"}
    assert (account_of(an_object_set(annotations=one)), account_of(an_object_set(annotations=both))) == (
        None,
        ("n", "a"),
    )


def test_missing_account_names_what_is_not_there() -> None:
    prefix = "olm.operatorframework.io/service-account"
    texts = [
        missing_account(an_object_set(annotations=annotations))
        for annotations in ({"a": "b"}, {f"{prefix}-name": "a"}, {f"{prefix}-namespace": "n"})
    ]
    assert texts == [
        'revision "lantern-1" is missing required annotations',
        'revision "lantern-1" is missing ServiceAccount namespace annotation',
        'revision "lantern-1" is missing ServiceAccount name annotation',
    ]


def test_account_of_refuses_what_is_no_name() -> None:
    prefix = "olm.operatorframework.io/service-account"
    odd = an_object_set(annotations={f"{prefix}-name": "a\nb", f"{prefix}-namespace": "n"})
    assert (account_of(odd), missing_account(odd)) == (
        None,
        'revision "lantern-1" names a ServiceAccount that is no DNS name',
    )


def test_is_torn_down_needs_the_archived_condition() -> None:
    done = [a_condition("Progressing", "False", "Archived")]
    sets = [
        an_object_set(state="Archived", conditions=done),
        an_object_set(state="Archived"),
        an_object_set(conditions=done),
    ]
    assert [is_torn_down(item) for item in sets] == [True, False, False]


OWNED = {"olm.operatorframework.io/owner-name": "lantern", "olm.operatorframework.io/owner-kind": "ClusterExtension"}
CONTROLLER = {"kind": "ClusterExtension", "name": "lantern", "uid": "u", "controller": True}


def a_set(number: int = 1, *, is_bundle: bool = True, **metadata: Any) -> dict[str, Any]:
    made = an_object_set(number, annotations=None if is_bundle else {"a": "b"})
    return {**made, "metadata": {**made["metadata"], "labels": OWNED, **metadata}}


@pytest.mark.parametrize(
    ("object_set", "extension", "family"),
    [
        pytest.param(a_set(labels={}, ownerReferences=[CONTROLLER]), "lantern", "lantern", id="label taken off"),
        pytest.param(a_set(), "lantern", "lantern", id="orphaned"),
        pytest.param(a_set(name="stranger"), None, "lantern", id="other name"),
        pytest.param(a_set(is_bundle=False), None, "lantern", id="no bundle"),
        pytest.param(a_set(ownerReferences=[{**CONTROLLER, "kind": "Other"}]), None, "lantern", id="other controller"),
        pytest.param(a_set(labels={}), None, None, id="no label"),
    ],
)
def test_extension_of_believes_the_controller_and_not_labels_alone(
    object_set: dict[str, Any], extension: str | None, family: str | None
) -> None:
    found = family_of(object_set)
    assert (extension_of(object_set), found[1] if found else None) == (extension, family)
