from __future__ import annotations

import pytest
from yarl import URL

from olmv1.kube.proxies import proxy_for

PROXY = "http://proxy:3128"


@pytest.mark.parametrize(
    ("host", "exceptions"),
    [
        pytest.param("api.example.com:6443", "", id="no exceptions"),
        pytest.param("api.example.com:6443", "other.com,,10.0.0.0/8", id="others only"),
        pytest.param("api.example.com:6443", "api.example.com:443", id="other port"),
        pytest.param("example.com", ".example.com", id="domain itself with a dot"),
        pytest.param("172.30.0.1", "172.31.0.0/16", id="other network"),
        pytest.param("172.30.0.1", "172.30.0.0/99", id="no network"),
        pytest.param("172.30.0.1", "30.0.1", id="address is no domain"),
    ],
)
def test_proxy_is_used_when_nothing_excepts_the_host(host: str, exceptions: str) -> None:
    assert proxy_for(URL(f"https://{host}"), {"HTTPS_PROXY": PROXY, "NO_PROXY": exceptions}) == PROXY


@pytest.mark.parametrize(
    ("host", "exceptions"),
    [
        pytest.param("api.example.com", "*", id="everything"),
        pytest.param("api.example.com", "a.com, API.example.com", id="host"),
        pytest.param("api.example.com", "example.com", id="domain"),
        pytest.param("api.example.com", ".example.com", id="domain with a dot"),
        pytest.param("api.example.com", "*.example.com", id="domain with a star"),
        pytest.param("api.example.com:6443", "api.example.com:6443", id="port"),
        pytest.param("172.30.0.1", "172.30.0.0/16", id="network"),
        pytest.param("172.30.0.1:443", "172.30.0.1", id="address"),
        pytest.param("172.30.0.1:443", "172.30.0.1:443", id="address and port"),
        pytest.param("[fd00::1]:443", "fd00::/8", id="IPv6 network"),
        pytest.param("[fd00::1]:443", "fd00::1", id="IPv6 address"),
        pytest.param("localhost:1", "", id="localhost"),
        pytest.param("127.0.0.1:1", "", id="loopback"),
    ],
)
def test_no_proxy_is_used_for_excepted_hosts(host: str, exceptions: str) -> None:
    assert proxy_for(URL(f"https://{host}"), {"HTTPS_PROXY": PROXY, "NO_PROXY": exceptions}) is None


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        pytest.param({}, None, id="none"),
        pytest.param({"HTTP_PROXY": PROXY}, None, id="other scheme"),
        pytest.param({"HTTPS_PROXY": "http://upper", "https_proxy": PROXY}, PROXY, id="lower case wins"),
        pytest.param({"HTTPS_PROXY": "proxy:3128"}, PROXY, id="without scheme"),
    ],
)
def test_proxy_comes_from_the_variable_of_the_scheme(environment: dict[str, str], proxy: str | None) -> None:
    assert proxy_for(URL("https://api.example.com"), environment) == proxy
