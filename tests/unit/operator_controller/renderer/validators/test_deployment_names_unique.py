from __future__ import annotations

from operator_controller.renderer.validators.deployment_names_unique import deployment_names_unique
from tests.bundles import a_bundle, a_deployment


def test_deployment_names_unique_names_each_repeated_name_once_sorted() -> None:
    bundle = a_bundle(
        deployments=(a_deployment("b"), a_deployment("b"), a_deployment("a"), a_deployment("a"), a_deployment("c"))
    )
    assert [each.words for each in deployment_names_unique(bundle)] == [
        "cluster service version contains duplicate strategy deployment spec 'a'",
        "cluster service version contains duplicate strategy deployment spec 'b'",
    ]
