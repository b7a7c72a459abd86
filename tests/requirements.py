"""Properties, bundles and extensions of the dependency tests, in few letters."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from olmv1 import fbc
from olmv1.constraints import Facts, Index, Property, Provider
from olmv1.served import Served
from operator_controller.dependencies import Candidate, InstalledExtension

BLUE = ("blues.example.com", "v1", "Blue")
GREEN = ("greens.example.com", "v1", "Green")


def a_gvk(api: tuple[str, str, str]) -> dict[str, str]:
    return {"group": api[0], "version": api[1], "kind": api[2]}


def an_api(api: tuple[str, str, str]) -> Property:
    return Property("olm.gvk", a_gvk(api))


def needs_api(api: tuple[str, str, str]) -> Property:
    return Property("olm.gvk.required", a_gvk(api))


def needs_package(name: str, versions: str) -> Property:
    return Property("olm.package.required", {"packageName": name, "versionRange": versions})


def needs(constraint: object) -> Property:
    return Property("olm.constraint", constraint)


def needs_rule(rule: str, message: str = "") -> Property:
    return needs({"failureMessage": message, "cel": {"rule": rule}})


def package(name: str, versions: str, message: str = "") -> dict[str, Any]:
    return {"failureMessage": message, "package": {"packageName": name, "versionRange": versions}}


def gvk(api: tuple[str, str, str], message: str = "") -> dict[str, Any]:
    return {"failureMessage": message, "gvk": a_gvk(api)}


def group(kind: str, *parts: object, message: str = "") -> dict[str, Any]:
    return {"failureMessage": message, kind: {"constraints": list(parts)}}


def a_provider(name: str, version: str, *properties: Property) -> Provider:
    return Provider(name, f"{name}.v{version}", name, version, properties)


def blue(version: str = "1.2.0", *properties: Property) -> Provider:
    return a_provider("blue", version, *(properties or (an_api(BLUE),)))


def green(version: str = "0.9.0", *properties: Property) -> Provider:
    return a_provider("green", version, *(properties or (an_api(GREEN),)))


def a_world(*providers: Provider, served: Served | None = None) -> Facts:
    return Facts(Index(providers or (blue(), green())), served)


def an_extension(name: str, version: str, *properties: Property, **changes: Any) -> InstalledExtension:
    return InstalledExtension(
        **{
            "name": name,
            "package": name,
            "bundle": f"{name}.v{version}" if version else "",
            "version": version,
            "properties": properties,
            **changes,
        }
    )


def a_candidate(name: str, version: str, *properties: Property, **changes: Any) -> Candidate:
    return Candidate(
        **{
            "extension": name,
            "package": name,
            "bundle": f"{name}.v{version}",
            "version": version,
            "properties": properties,
            "catalog": "main",
            **changes,
        }
    )


def a_blob(name: str, version: str, *properties: Property) -> fbc.Bundle:
    own = Property("olm.package", {"packageName": name, "version": version})
    written = tuple(
        fbc.Property(each.type, msgspec.Raw(json.dumps(each.value).encode())) for each in (own, *properties)
    )
    return fbc.Bundle(f"{name}.v{version}", name, f"registry.example/{name}:{version}", written)
