"""Which proxy a URL goes through, by the variables that every program honours.

`aiohttp` can read the environment itself, but knows no networks in `NO_PROXY`, and clusters name their service network
there. Pure: the environment is an argument.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from yarl import URL

__all__ = ["proxy_for"]


def proxy_for(url: URL, environment: Mapping[str, str]) -> str | None:
    """The proxy of `HTTPS_PROXY`/`HTTP_PROXY` for `url`; `None` when there is none or `NO_PROXY` names the host.

    `NO_PROXY` lists hosts, domains (with or without a leading dot), addresses, networks (`172.30.0.0/16`), each with an
    optional port, or `*`. Lower-case names of the variables win. A local host never goes through a proxy.
    """
    scheme = url.scheme.lower()
    proxy = environment.get(f"{scheme}_proxy") or environment.get(f"{scheme}_proxy".upper())
    host = (url.host or "").lower()
    if not proxy or _is_local(host):
        return None
    exceptions = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    if any(_covers(item.strip().lower(), host, url.port) for item in exceptions.split(",")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _is_local(host: str) -> bool:
    address = _address_of(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _covers(item: str, host: str, port: int | None) -> bool:
    if not item:
        return False
    if item == "*":
        return True
    address = _address_of(host)
    if "/" in item:
        return address is not None and _network_has(item, address)
    name, _, wanted_port = item.rpartition(":")
    if name and wanted_port.isdigit() and _address_of(item) is None:
        if int(wanted_port) != port:
            return False
        item = name.strip("[]")
    if address is not None:
        return _address_of(item) == address
    domain = item.removeprefix("*").lstrip(".")
    if host == domain:
        return not item.startswith(".")
    return host.endswith(f".{domain}")


def _network_has(item: str, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    try:
        return address in ipaddress.ip_network(item, strict=False)
    except ValueError:
        return False


def _address_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None
