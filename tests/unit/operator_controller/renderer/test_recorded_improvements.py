"""What is rendered otherwise than by the reference, object by object of the real bundles, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from olmv1.manifests import Manifest
from operator_controller.renderer import render_with_findings
from operator_controller.renderer.generators import GENERATORS
from operator_controller.renderer.improvements import IMPROVEMENTS
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.render import prepared
from tests.recorded import Case, recorded_cases

_DOCS = Path(__file__).parents[4] / "docs" / "rendering.md"
_WEBHOOKS = {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}

# Kinds of object that an improvement may change.
_CHANGES: Mapping[str, set[str]] = {
    "default_ports": {"CustomResourceDefinition", *_WEBHOOKS},
    "service_ports": {"Service"},
    "name_limits": {"Certificate", "CustomResourceDefinition", "Service", *_WEBHOOKS},
    "init_containers": {"Deployment"},
    "lean_pods": {"Deployment"},
    "leftover_conversion": {"CustomResourceDefinition"},
    "conversion_versions": set(),
    "scope": {"ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "VerticalPodAutoscaler", *_WEBHOOKS},
    "subjects": {"ClusterRoleBinding", "RoleBinding"},
    "duplicates": {"RoleBinding", "Service"},
    "api_limits": set(),
    "content": set(),
    "operator_conditions": set(),
}

# The bundles that each improvement changes, in any of their recorded cases; `lean_pods` changes all but one of them.
_CHANGED = {
    "default_ports": ["mongodb-enterprise/1.25.0", "mongodb-kubernetes/1.0.0"],
    "name_limits": ["ibm-application-gateway-operator/22.3.0", "ibm-security-verify-operator/21.11.0"],
    "scope": [
        "ccnfs-operator/5.23.40",
        "dynatrace-operator/0.7.0",
        "eginnovations-operator/0.0.2",
        "gitlab-operator-kubernetes/0.10.2",
        "gitlab-runner-operator/1.9.0",
        "hibernation-operator/v0.1.101",
        "hulft/10.3.0",
        "iax-webhook-router/0.1.6",
        "ibm-application-gateway-operator/22.3.0",
        "ibm-security-verify-directory-operator/23.2.0",
        "ibm-security-verify-operator/21.11.0",
        "infoscale-licensing-operator/8.0.96",
        "infoscale-sds-operator/8.0.96",
        "linstor-operator/v2.8.1",
        "mongodb-enterprise/1.25.0",
        "mongodb-kubernetes/1.0.0",
        "template-operator/v0.1.0",
    ],
    "subjects": [
        "ako-operator/1.5.2",
        "dynatrace-operator/0.7.0",
        "gitlab-runner-operator/1.9.0",
        "ibm-data-reporter-operator/2.11.0",
        "infinibox-operator-certified/v2.6.0",
        "mongodb-enterprise/1.25.0",
        "mongodb-kubernetes/1.0.0",
        "stackable-secret-operator/23.1.0",
        "template-operator/v0.1.0",
    ],
    "duplicates": [
        "ako-operator/1.5.2",
        "hibernation-operator/v0.1.101",
        "mongodb-enterprise/1.25.0",
        "mongodb-kubernetes/1.0.0",
        "template-operator/v0.1.0",
    ],
}


def rendered_cases() -> list[Case]:
    return [case for case in recorded_cases() if isinstance(case.answer, list)]


def generated(case: Case) -> tuple[tuple[Manifest, ...], Rendering]:
    """The objects of the first pass."""
    rendering = prepared(case.parsed(as_reference=False), case.options(as_reference=False))
    return tuple(each for generator in GENERATORS for each in generator(rendering)), rendering


@pytest.mark.data
def test_differences_to_the_reference_are_those_of_named_improvements() -> None:
    changed = defaultdict(set)
    for case in rendered_cases():
        objects, rendering = generated(case)
        assert list(objects) == case.answer, case
        for improvement in IMPROVEMENTS:
            name, result = improvement.__name__, improvement(objects, rendering).objects
            different = [each for each in result if each not in objects]
            assert {each["kind"] for each in different} <= _CHANGES[name], (case, name)
            assert len(result) == len(objects) or name == "duplicates", (case, name)
            if result != objects:
                changed[name].add(case.bundle)
            objects = result
        ours = render_with_findings(case.parsed(as_reference=False), case.options(as_reference=False)).objects
        assert ours == objects, case
    lean = changed.pop("lean_pods")
    assert {name: sorted(bundles) for name, bundles in changed.items()} == _CHANGED
    assert {case.bundle for case in rendered_cases()} - lean == {"stackable-secret-operator/23.1.0"}


def test_every_improvement_is_explained_in_the_documentation() -> None:
    names = [improvement.__name__ for improvement in IMPROVEMENTS]
    assert sorted(names) == sorted(_CHANGES)
    text = _DOCS.read_text()
    assert [name for name in names if f"`{name}`" not in text] == []
