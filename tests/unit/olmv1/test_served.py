from __future__ import annotations

import pytest

from olmv1.served import Served, version_of

SERVED = Served("1.36.3", frozenset({("", "v1", "Secret"), ("apps", "v1", "Deployment")}))


@pytest.mark.parametrize(
    ("group", "kind", "version", "is_served"),
    [
        ("", "Secret", None, True),
        ("apps", "Deployment", "v1", True),
        ("apps", "Deployment", "v2", False),
        ("apps", "Secret", None, False),
    ],
)
def test_served_knows_kinds(group: str, kind: str, version: str | None, is_served: bool) -> None:
    assert SERVED.has(group, kind, version) is is_served


def test_served_knows_groups() -> None:
    assert (SERVED.has_group("apps"), SERVED.has_group("batch")) == (True, False)


def test_served_names_api_versions_as_helm_wants_them() -> None:
    assert SERVED.api_versions == ("apps/v1", "apps/v1/Deployment", "v1", "v1/Secret")


@pytest.mark.parametrize(
    ("text", "version"),
    [("v1.36.3", "1.36.3"), ("v1.36.3-rc.1+build", "1.36.3-rc.1"), ("1.30.0+k3s1", "1.30.0"), ("dirty", "")],
)
def test_server_version_is_read(text: str, version: str) -> None:
    assert version_of(text) == version
