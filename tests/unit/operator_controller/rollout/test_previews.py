from __future__ import annotations

from olmv1.manifests import ObjectKey
from operator_controller.rollout.previews import Previews

KEY = ObjectKey("", "v1", "ConfigMap", "shop", "till")


def test_phase_begins_once_and_for_its_revision_only() -> None:
    previews = Previews()
    previews.begin("uid", 1)
    asked = [("uid", 1), ("uid", 0), ("other", 1)]
    assert [previews.has_begun(uid, phase) for uid, phase in asked] == [True, False, False]


def test_object_has_passed_with_its_content_only_and_until_its_phase_begins() -> None:
    previews = Previews()
    previews.passed("uid", KEY, "a")
    assert [previews.has_passed(uid, KEY, digest) for uid, digest in (("uid", "a"), ("uid", "b"), ("other", "a"))] == [
        True,
        False,
        False,
    ]
    previews.begin("uid", 0)
    assert not previews.has_passed("uid", KEY, "a")


def test_forget_drops_what_is_known_of_a_revision() -> None:
    previews = Previews()
    previews.begin("uid", 0)
    previews.forget("uid")
    assert not previews.has_begun("uid", 0)
