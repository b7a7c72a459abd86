"""Packages of catalogs in the notation of the specification's examples: `0.9.2 (R 0.9.0; S 0.9.1; SR <0.9.2)`.

A bundle written as a version is called `p.v<version>`; a text that begins with a letter is a name itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from olmv1.fbc import Bundle, Channel, Deprecation, Entry, Package, Property
from operator_controller.resolver import CatalogContent, InstalledBundle, index_package

PACKAGE = "p"
_ENTRY = re.compile(r"(?P<name>[^ ]+)(?: \((?P<edges>.*)\))?")


def a_name(text: str) -> str:
    return text if text[:1].isalpha() else f"p.v{text}"


def a_bundle(
    text: str,
    *,
    version: str | None = None,
    release: str | None = None,
    image: str | None = None,
    requires: Sequence[str] = (),
    kubernetes: str | None = None,
) -> Bundle:
    identity = {"packageName": PACKAGE, "version": text if version is None else version}
    if release is not None:
        identity["release"] = release
    properties = [Property("olm.package", msgspec.Raw(json.dumps(identity).encode()))]
    properties += [Property(type_, msgspec.Raw(b"{}")) for type_ in requires]
    if kubernetes is not None:
        metadata = json.dumps({"displayName": "P", "minKubeVersion": kubernetes})
        properties.append(Property("olm.csv.metadata", msgspec.Raw(metadata.encode())))
    return Bundle(a_name(text), PACKAGE, image or f"registry.example/p:{text}", tuple(properties))


def an_entry(text: str) -> Entry:
    found = _ENTRY.fullmatch(text)
    assert found, text
    edges: dict[str, str] = {}
    for edge in (found["edges"] or "").split("; ") if found["edges"] else ():
        kind, _, rest = edge.partition(" ")
        edges[kind] = rest
    return Entry(
        a_name(found["name"]),
        a_name(edges["R"]) if "R" in edges else "",
        tuple(map(a_name, edges["S"].split())) if "S" in edges else (),
        edges.get("SR", ""),
    )


def a_channel(name: str, *entries: str) -> Channel:
    return Channel(name, PACKAGE, tuple(map(an_entry, entries)))


def a_deprecation(schema: str, name: str = "", message: str = "gone soon") -> Deprecation:
    return Deprecation(schema, name, message)


def a_package(
    bundles: Iterable[str | Bundle],
    channels: Mapping[str, Sequence[str]] | None = None,
    deprecated: Iterable[str] = (),
    deprecations: Iterable[Deprecation] = (),
) -> Package:
    gone = [a_deprecation("olm.bundle", a_name(text)) for text in deprecated]
    return Package(
        PACKAGE,
        channels=tuple(a_channel(name, *entries) for name, entries in (channels or {}).items()),
        bundles=tuple(a_bundle(each) if isinstance(each, str) else each for each in bundles),
        deprecations=(*gone, *deprecations),
    )


def a_catalog(package: Package | None, name: str = "cat", priority: int = 0) -> CatalogContent:
    return CatalogContent(name, priority, None if package is None else index_package(package))


def an_installed(text: str, *, release: str | None = None, catalog: str | None = None) -> InstalledBundle:
    version = text.rpartition(".v")[2] if text[:1].isalpha() else text
    return InstalledBundle(a_name(text), version, release, f"registry.example/p:{text}", catalog)
