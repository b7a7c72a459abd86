"""Proxy variables (clusterextension.md 12.6)."""

from __future__ import annotations

import pytest
from yarl import URL

from olmv1.images.proxies import NO_PROXIES, Proxies

PROXY = {"HTTPS_PROXY": "http://proxy.example:3128", "HTTP_PROXY": "plain.example:3128"}


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("https://registry.example/v2/", "http://proxy.example:3128"),
        ("http://registry.example/v2/", "http://plain.example:3128"),
        ("https://localhost:5000/", None),
        ("https://127.0.0.1/", None),
        ("https://[::1]:5000/", None),
    ],
)
def test_proxy_for_follows_the_scheme_and_spares_loopback(url: str, proxy: str | None) -> None:
    found = Proxies.from_environment(PROXY).proxy_for(URL(url))
    assert found == (URL(proxy) if proxy else None)


@pytest.mark.parametrize(
    ("bypass", "host", "is_direct"),
    [
        ("*", "registry.example", True),
        ("registry.example", "registry.example", True),
        ("registry.example", "a.registry.example", True),
        ("registry.example", "aregistry.example", False),
        (".registry.example", "a.registry.example", True),
        (".registry.example", "registry.example", False),
        ("*.registry.example", "a.registry.example", True),
        ("a.example, .svc , b.example", "registry.ns.svc", True),
        ("REGISTRY.example", "Registry.Example", True),
        ("registry.example:5000", "registry.example:5000", True),
        ("registry.example:5000", "registry.example:5001", False),
        ("10.0.0.0/8", "10.1.2.3", True),
        ("10.0.0.0/8", "11.1.2.3", False),
        ("10.0.0.0/8", "registry.example", False),
        ("bad/8", "10.1.2.3", False),
        ("10.1.2.3", "10.1.2.3:5000", True),
        ("fd00::/8", "[fd00::1]:5000", True),
        ("[fd00::1]:5000", "[fd00::1]:5000", True),
        ("[fd00::1]:5001", "[fd00::1]:5000", False),
    ],
)
def test_proxy_for_honours_no_proxy(bypass: str, host: str, is_direct: bool) -> None:
    proxies = Proxies.from_environment({**PROXY, "NO_PROXY": bypass})
    assert (proxies.proxy_for(URL(f"https://{host}/")) is None) == is_direct


def test_from_environment_reads_both_spellings_and_distrusts_cgi() -> None:
    lower = {"https_proxy": "p1", "http_proxy": "p2", "no_proxy": "a"}
    assert Proxies.from_environment(lower) == Proxies("http://p1", "http://p2", ("a",))
    assert Proxies.from_environment({"HTTP_PROXY": "p", "REQUEST_METHOD": "GET"}) == NO_PROXIES
    assert repr(Proxies("http://me:secret@p")) == "Proxies(bypass=())"
