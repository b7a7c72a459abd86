"""Which proxy a request goes through: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` as clusters set them.

Pure: the environment is read once into the settings. aiohttp's own reading (`trust_env`) knows no CIDR ranges in
`NO_PROXY`, which every cluster-wide proxy configuration uses for its pod and service networks.
Rule: clusterextension.md 12.6.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

__all__ = ["NO_PROXIES", "Proxies"]


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies of one process; empty means a direct connection. May hold a password: hidden from `repr`."""

    https: str = field(default="", repr=False)
    http: str = field(default="", repr=False)
    bypass: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Proxies:
        """The proxies that `environ` names, in upper or lower case spelling.

        `HTTP_PROXY` in capitals is not read in a CGI process, where a client's header `Proxy:` would set it.
        """
        http = environ.get("http_proxy") or ("" if "REQUEST_METHOD" in environ else environ.get("HTTP_PROXY", ""))
        bypass = environ.get("NO_PROXY") or environ.get("no_proxy") or ""
        return cls(
            https=_with_scheme(environ.get("HTTPS_PROXY") or environ.get("https_proxy") or ""),
            http=_with_scheme(http),
            bypass=tuple(item.strip().lower() for item in bypass.split(",") if item.strip()),
        )

    def proxy_for(self, url: URL) -> URL | None:
        """The proxy for `url`; `None` for a direct connection, as for every loopback address."""
        chosen = self.https if url.scheme == "https" else self.http
        host = (url.host or "").lower().rstrip(".")
        if not chosen or _is_loopback(host) or any(_covers(rule, host, url.port) for rule in self.bypass):
            return None
        return URL(chosen)


NO_PROXIES = Proxies()


def _with_scheme(proxy: str) -> str:
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _covers(rule: str, host: str, port: int | None) -> bool:
    """Whether one entry of `NO_PROXY` (`*`, CIDR, address, domain; optional port) covers the host."""
    if rule == "*":
        return True
    address = _address(host)
    if "/" in rule:
        return address is not None and _in_network(rule, address)
    name, colon, wanted_port = rule.rpartition(":")
    if colon and wanted_port.isdigit() and (":" not in name or name.startswith("[")):
        if wanted_port != str(port):
            return False
        rule = name
    rule = rule.strip("[]")
    if address is not None:
        return _address(rule) == address
    bare = rule.removeprefix("*")
    return host.endswith(bare) if bare.startswith(".") else host == bare or host.endswith(f".{bare}")


def _in_network(rule: str, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    try:
        return address in ipaddress.ip_network(rule, strict=False)
    except ValueError:
        return False


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
