from __future__ import annotations

from typing import Any

import pytest

from olm_cli.rolling_back.managers import managers_of


def an_entry(manager: str, *fields: str, **more: str) -> dict[str, Any]:
    owned: dict[str, Any] = {"f:spec": {"f:source": {"f:catalog": {f"f:{field}": {} for field in fields}}}}
    return {"manager": manager, "operation": "Apply", "fieldsV1": owned, **more}


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        pytest.param([an_entry("flux", "version"), an_entry("argocd", "channels")], ("flux",), id="of these fields"),
        pytest.param([an_entry("b", "version"), an_entry("a", "version")], ("a", "b"), id="sorted"),
        pytest.param([an_entry("kubectl", "version"), an_entry("olm-rollback", "version")], (), id="people"),
        pytest.param([an_entry("x", "version", subresource="status")], (), id="status"),
        pytest.param([{"manager": "x"}, {"manager": "x", "fieldsV1": {"f:spec": {}}}], (), id="other fields"),
        pytest.param(None, (), id="none"),
    ],
)
def test_managers_are_those_that_apply_the_fields(entries: Any, found: tuple[str, ...]) -> None:
    ext = {"metadata": {"name": "x", "managedFields": entries}}
    assert managers_of(ext, {"version", "upgradeConstraintPolicy"}) == found
