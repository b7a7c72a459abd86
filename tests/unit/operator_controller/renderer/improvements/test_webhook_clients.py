from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.improvements.webhook_clients import conversion_service, with_services
from tests.bundles import a_crd


@pytest.mark.parametrize(
    "conversion",
    [None, {"strategy": "None"}, {"webhook": {}}, {"webhook": {"clientConfig": {"url": "https://x"}}}],
)
def test_conversion_service_is_none_where_no_service_converts(conversion: Any) -> None:
    crd = a_crd(**({"conversion": conversion} if conversion else {}))
    assert conversion_service(crd) is None
    assert with_services(crd, lambda _: {"name": "other"}) is crd


@pytest.mark.parametrize("kind", ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"])
def test_with_services_changes_every_webhook_without_touching_the_given(kind: str) -> None:
    webhooks = [{"name": name, "clientConfig": {"service": {"name": name}}} for name in "ab"]
    given = {"kind": kind, "webhooks": webhooks}
    changed = with_services(given, lambda service: {**service, "name": service["name"] * 2})
    assert [each["clientConfig"]["service"]["name"] for each in changed["webhooks"]] == ["aa", "bb"]
    assert webhooks[0]["clientConfig"] == {"service": {"name": "a"}}
    assert with_services(given, lambda service: service) is given
