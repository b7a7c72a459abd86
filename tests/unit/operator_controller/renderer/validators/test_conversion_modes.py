from __future__ import annotations

import pytest

from operator_controller.renderer.validators.conversion_modes import conversion_modes
from tests.bundles import a_bundle, a_webhook

_WEBHOOKS = (a_webhook("b", "Conversion"), a_webhook("x"), a_webhook("a", "Conversion"))


def test_conversion_modes_accepts_a_bundle_for_all_namespaces_only() -> None:
    assert list(conversion_modes(a_bundle(webhooks=_WEBHOOKS))) == []


@pytest.mark.parametrize("other", ["OwnNamespace", "MultiNamespace"])
def test_conversion_modes_names_each_conversion_webhook_in_order_of_the_csv(other: str) -> None:
    bundle = a_bundle(webhooks=_WEBHOOKS, install_modes=frozenset({other, "AllNamespaces"}))
    text = (
        'bundle contains conversion webhook "{}" and supports install modes [AllNamespaces {}] - conversion webhooks '
        "are only supported for bundles that only support AllNamespaces install mode"
    )
    found = [(each.words, each.place) for each in conversion_modes(bundle)]
    assert found == [
        (text.format("b", other), "spec.webhookdefinitions[0]"),
        (text.format("a", other), "spec.webhookdefinitions[2]"),
    ]
