from __future__ import annotations

from operator_controller.renderer.dns1123 import subdomain_findings
from operator_controller.renderer.validators.deployment_names_valid import deployment_names_valid
from tests.bundles import a_bundle, a_deployment


def test_deployment_names_valid_joins_the_reasons_of_each_name() -> None:
    long = "B" * 254
    bundle = a_bundle(deployments=tuple(map(a_deployment, ("good", long, "A", "A"))))
    form, length = subdomain_findings(long)
    prefix = "invalid cluster service version strategy deployment name"
    assert [each.words for each in deployment_names_valid(bundle)] == [
        f"{prefix} 'A': {form}",
        f"{prefix} '{long}': {form}, {length}",
    ]
