from __future__ import annotations

from dataclasses import replace

import pytest

from operator_controller.approval import ANNOTATION_UPGRADE_POLICY, UpgradePolicy, needs_approval, policy_of
from operator_controller.revisions.desired import BundleIdentity


def at(version: str, release: str | None = None) -> BundleIdentity:
    return BundleIdentity("lantern", f"lantern.v{version}", version, release, f"example.com/lantern:v{version}")


ONE = at("1.2.3")


@pytest.mark.parametrize(
    ("value", "policy"),
    [
        ("Auto", UpgradePolicy.AUTO),
        ("ZStream", UpgradePolicy.Z_STREAM),
        ("Manual", UpgradePolicy.MANUAL),
        pytest.param("manual", UpgradePolicy.MANUAL, id="misspelt"),
        pytest.param("", UpgradePolicy.MANUAL, id="empty"),
    ],
)
def test_policy_is_that_of_the_annotation(value: str, policy: UpgradePolicy) -> None:
    assert policy_of({ANNOTATION_UPGRADE_POLICY: value}) is policy


def test_policy_is_auto_without_the_annotation() -> None:
    assert policy_of({}) is UpgradePolicy.AUTO


@pytest.mark.parametrize("policy", UpgradePolicy)
def test_first_install_never_waits(policy: UpgradePolicy) -> None:
    assert needs_approval(policy, None, ONE) is False


@pytest.mark.parametrize("policy", UpgradePolicy)
def test_same_bundle_never_waits_whatever_else_changes(policy: UpgradePolicy) -> None:
    assert needs_approval(policy, ONE, replace(ONE, image="example.com/lantern@sha256:1", catalog="other")) is False


@pytest.mark.parametrize(
    ("wanted", "z_stream"),
    [
        pytest.param(at("1.2.4"), False, id="patch"),
        pytest.param(at("1.2.0"), False, id="patch downward"),
        pytest.param(at("1.2.3-rc.1"), False, id="pre-release of the same patch"),
        pytest.param(at("1.2.3", "2"), False, id="rebuild"),
        pytest.param(at("1.3.0"), True, id="minor"),
        pytest.param(at("1.1.9"), True, id="minor downward"),
        pytest.param(at("2.2.3"), True, id="major"),
        pytest.param(at("0.2.3"), True, id="major downward"),
        pytest.param(at("banana"), True, id="unreadable"),
    ],
)
def test_other_bundle_waits(wanted: BundleIdentity, z_stream: bool) -> None:
    waits = {policy: needs_approval(policy, ONE, wanted) for policy in UpgradePolicy}
    assert waits == {UpgradePolicy.AUTO: False, UpgradePolicy.Z_STREAM: z_stream, UpgradePolicy.MANUAL: True}


def test_z_stream_waits_when_the_installed_version_is_unreadable() -> None:
    assert needs_approval(UpgradePolicy.Z_STREAM, at(""), ONE) is True
