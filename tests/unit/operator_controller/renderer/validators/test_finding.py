from __future__ import annotations

import pytest

from operator_controller.renderer.validators.finding import Finding, in_crd, in_csv, in_other, in_webhook
from tests.bundles import a_bundle, a_webhook

_READ = a_bundle(
    csv_path="manifests/csv.yaml", crd_paths=("a", "b", "a"), other_paths=("x", "y"), webhooks=(a_webhook(),)
)


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("w"), "w"),
        (Finding("w", "p"), "w (p)"),
        (in_csv(_READ, "w", "spec.a"), "w (manifests/csv.yaml, spec.a)"),
        (in_csv(a_bundle(), "w", "spec.a"), "w (spec.a)"),
        (in_webhook(_READ, "w", a_webhook()), "w (manifests/csv.yaml, spec.webhookdefinitions[0])"),
        (in_crd(_READ, "w", 0, 1, 2), "w (a, b)"),
        (in_crd(a_bundle(), "w", 0), "w"),
        (in_other(_READ, "w", 1), "w (y)"),
    ],
)
def test_finding_names_its_place_after_the_words(finding: Finding, text: str) -> None:
    assert str(finding) == text
