from __future__ import annotations

from collections.abc import Collection
from typing import cast

import pytest

from olmv1.kube.discovery import Discovery
from operator_controller.environment import ClusterPlatform, ClusterProxy, ClusterVersionWatch
from operator_controller.renderer import Certificates


@pytest.mark.parametrize(
    ("provider", "removed", "wanted"),
    [
        ("auto", (), ""),
        ("none", (), "none"),
        ("cert-manager", [Certificates.SERVICE_CA], "cert-manager"),
        pytest.param("cert-manager", [Certificates.CERT_MANAGER], "", id="no revision could ever have it"),
    ],
)
def test_provider_is_wanted_when_it_was_named_and_can_be_had(
    provider: str, removed: Collection[Certificates], wanted: str
) -> None:
    discovery, proxy = cast(Discovery, None), cast(ClusterProxy, None)
    version = cast(ClusterVersionWatch, None)
    platform = ClusterPlatform(discovery, proxy, version, provider=provider, removed=removed)
    assert platform.wanted_provider == wanted
