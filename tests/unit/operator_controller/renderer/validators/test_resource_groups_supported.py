from __future__ import annotations

from operator_controller.renderer.kinds import GROUPS
from operator_controller.renderer.validators.finding import Finding
from operator_controller.renderer.validators.resource_groups_supported import resource_groups_supported
from tests.bundles import a_bundle


def test_resource_groups_supported_accepts_every_known_group_and_none() -> None:
    versions = [(kind, f"{group}/v1".removeprefix("/")) for kind, groups in GROUPS.items() for group in groups]
    others = tuple({"kind": kind, "apiVersion": version} for kind, version in [*versions, ("Service", "")])
    assert list(resource_groups_supported(a_bundle(others=others))) == []


def test_resource_groups_supported_refuses_a_namesake_but_not_an_unknown_kind() -> None:
    namesake = {"kind": "Service", "apiVersion": "serving.knative.dev/v1", "metadata": {"name": "a"}}
    bundle = a_bundle(others=(namesake, {"kind": "Pod", "apiVersion": "v1"}), other_paths=("b", "c"))
    text = 'unsupported resource "a" with kind "Service" of API group "serving.knative.dev"'
    assert list(resource_groups_supported(bundle)) == [Finding(text, "b")]
