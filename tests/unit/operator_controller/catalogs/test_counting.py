from __future__ import annotations

from typing import Any

import pytest

from operator_controller.catalogs import counts, unusable_reason


def a_catalog(*, deleting: bool = False, serving: str = "True", base: str = "https://x/catalogs/a", **spec: Any) -> Any:
    metadata = {"name": "a", **({"deletionTimestamp": "2026-01-01T00:00:00Z"} if deleting else {})}
    status = {"conditions": [{"type": "Serving", "status": serving}], "urls": {"base": base} if base else {}}
    return {"metadata": metadata, "spec": spec, "status": status}


@pytest.mark.parametrize(
    ("catalog", "does_count"),
    [
        pytest.param(a_catalog(), True, id="plain"),
        pytest.param(a_catalog(availabilityMode="Available"), True, id="available"),
        pytest.param(a_catalog(availabilityMode="Unavailable"), False, id="unavailable"),
        pytest.param(a_catalog(deleting=True), False, id="being deleted"),
        pytest.param({"metadata": {"name": "a"}}, True, id="brand new"),
    ],
)
def test_counts_leaves_out_what_nobody_may_use(catalog: Any, does_count: bool) -> None:
    assert counts(catalog) is does_count


@pytest.mark.parametrize(
    ("catalog", "reason"),
    [
        pytest.param(a_catalog(), None, id="usable"),
        pytest.param(a_catalog(serving="False"), 'catalog "a" is not being served', id="not served"),
        pytest.param(a_catalog(base=""), 'error: catalog "a" has a nil status.urls value', id="no address"),
    ],
)
def test_unusable_reason_says_why_a_catalog_cannot_be_asked(catalog: Any, reason: str | None) -> None:
    assert unusable_reason(catalog) == reason
