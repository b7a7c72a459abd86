from __future__ import annotations

from typing import Any

import pytest

from operator_controller.environment import proxy_environment


@pytest.mark.parametrize(
    ("status", "variables"),
    [
        ({"httpProxy": "http://p:3128", "noProxy": ".cluster.local"}, ["HTTP_PROXY", "NO_PROXY"]),
        ({"httpProxy": "", "httpsProxy": "http://p:3128", "noProxy": None}, ["HTTPS_PROXY"]),
        ({}, []),
    ],
)
def test_proxy_becomes_the_variables_that_it_sets(status: dict[str, Any], variables: list[str]) -> None:
    assert [*proxy_environment({"status": status})] == variables


def test_no_proxy_sets_nothing() -> None:
    assert proxy_environment(None) == {}
