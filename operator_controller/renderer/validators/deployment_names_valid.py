"""Rule 2: the name of a deployment is a DNS-1123 subdomain."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.dns1123 import subdomain_findings
from operator_controller.renderer.validators.finding import DEPLOYMENTS, Finding, in_csv

__all__ = ["deployment_names_valid"]


def deployment_names_valid(bundle: Bundle) -> Iterator[Finding]:
    """One finding per name, sorted. Rule: bundle-rendering.md 8, rule 2."""
    for name in sorted({deployment.name for deployment in bundle.deployments}):
        if findings := subdomain_findings(name):
            words = f"invalid cluster service version strategy deployment name '{name}': {', '.join(findings)}"
            yield in_csv(bundle, words, DEPLOYMENTS)
