"""A package with as many bundles as one likes: each replaces the one before it and skips its major version."""

from __future__ import annotations

import json

import msgspec

from olmv1.fbc import Bundle, Channel, Entry, Package, Property
from operator_controller.resolver import InstalledBundle, Request

__all__ = ["large_package", "large_request"]

_NAME = "large"


def large_package(count: int) -> Package:
    """A package with `count` bundles in one channel, every second one in another as well."""
    entries = [_entry(number) for number in range(count)]
    return Package(
        _NAME,
        default_channel="stable",
        channels=(Channel("stable", _NAME, tuple(entries)), Channel("fast", _NAME, tuple(entries[::2]))),
        bundles=tuple(_bundle(number) for number in range(count)),
    )


def large_request(count: int) -> Request:
    """A request that asks for every filter: a third is installed, most are in the range, all fit the cluster."""
    installed = count // 3
    return Request(
        _NAME,
        range_text=f">=0.1 <{count // 100}",
        channels=("stable",),
        installed=InstalledBundle(f"{_NAME}.v{_version(installed)}", _version(installed)),
        kube_version="1.30.0",
    )


def _version(number: int) -> str:
    return f"{number // 100}.{number // 10 % 10}.{number % 10}"


def _entry(number: int) -> Entry:
    version = _version(number)
    if not number:
        return Entry(f"{_NAME}.v{version}")
    return Entry(
        f"{_NAME}.v{version}", f"{_NAME}.v{_version(number - 1)}", skip_range=f">={number // 100}.0.0 <{version}"
    )


def _bundle(number: int) -> Bundle:
    identity = {"packageName": _NAME, "version": _version(number)}
    metadata = {"displayName": "Large", "minKubeVersion": "1.25.0", "description": "x" * 2000}
    properties = (("olm.package", identity), ("olm.csv.metadata", metadata))
    return Bundle(
        f"{_NAME}.v{_version(number)}",
        _NAME,
        f"registry.example.com/large:v{_version(number)}",
        tuple(Property(type_, msgspec.Raw(json.dumps(value).encode())) for type_, value in properties),
    )
