"""Every case of `tests/cases/fbc/validation.yaml`: a change of a good catalog, and all that is found then."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from olmv1.fbc.validation import Report, Severity, SourceFile, examine_files, examine_lines, tree
from olmv1.yaml import dump_json

_CASES = yaml.safe_load((Path(__file__).parents[4] / "cases" / "fbc" / "validation.yaml").read_text())


def a_bundle(name: str, version: str, release: str | None = None, package: str = "lamp") -> dict[str, Any]:
    identity = {"packageName": package, "version": version, **({} if release is None else {"release": release})}
    return {
        "schema": "olm.bundle",
        "package": package,
        "name": name,
        "image": "registry.example/lamp:v1",
        "properties": [{"type": "olm.package", "value": identity}],
    }


def base(package: str = "lamp") -> dict[str, dict[str, Any]]:
    return {
        "package": {"schema": "olm.package", "name": package, "defaultChannel": "stable"},
        "channel": {
            "schema": "olm.channel",
            "package": package,
            "name": "stable",
            "entries": [{"name": "lamp.v1.0.0"}],
        },
        "bundle": a_bundle("lamp.v1.0.0", "1.0.0", package=package),
    }


def changed(case: Mapping[str, Any]) -> list[Any]:
    """The blobs of a case in load order."""
    blobs = base(case.get("rename", "lamp"))
    for path, value in case.get("set", {}).items():
        kind, field = path.split(".", 1)
        blobs[kind][field] = value
    for path in case.get("drop", ()):
        kind, field = path.split(".", 1)
        del blobs[kind][field]
    if "entries" in case:
        blobs["channel"]["entries"] = case["entries"]
    if "identity" in case:
        blobs["bundle"]["properties"][0]["value"] = case["identity"]
    if "property" in case:
        blobs["bundle"]["properties"].append(case["property"])
    more = [a_bundle(name, name.partition(".v")[2]) for name in case.get("bundles", ())]
    if "released" in case:
        del blobs["bundle"]
        more += [a_bundle(each["name"], each["version"], each.get("release")) for each in case["released"]]
        names = [each["name"] for each in case["released"]]
        blobs["channel"]["entries"] = [{"name": names[0], "skips": names[1:]}, *({"name": name} for name in names[1:])]
    if "deprecations" in case:
        more.append({"schema": "olm.deprecations", "package": "lamp", "entries": case["deprecations"]})
    for blob in case.get("add", ()):
        likeness = blob.pop("like", None) if isinstance(blob, dict) else None
        more.append({**copy.deepcopy(blobs[likeness]), **blob} if likeness else blob)
    return [blobs[kind] for kind in case.get("order", blobs)] + more


def examined(blobs: list[Any]) -> Report:
    # A list cannot stand in a stream of JSON objects, but in one of YAML documents.
    content = "\n---\n".join(json.dumps(blob, indent=1) for blob in blobs)
    return examine_files([SourceFile("lamp/catalog.yaml", content.encode())])


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in _CASES])
def test_validation_finds_all_of_a_case(case: dict[str, Any]) -> None:
    blobs = changed(copy.deepcopy(case))
    report = examined(blobs)
    errors = [f"{f.code.phase} {f.message}" for f in report.findings if f.severity is Severity.ERROR]
    assert errors == case.get("errors", [])
    assert [f.code for f in report.findings if f.severity is Severity.WARNING] == case.get("warnings", [])
    if "tree" in case:
        assert tree(report.findings) == case["tree"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in _CASES if case["id"] != "o-list"])
def test_validation_of_served_lines_finds_the_same(case: dict[str, Any]) -> None:
    blobs = changed(copy.deepcopy(case))
    served = examine_lines([dump_json(blob) for blob in blobs]).findings
    # Members come in another order, and with them what is said of them.
    assert sorted((f.code, f.message) for f in served) == sorted((f.code, f.message) for f in examined(blobs).findings)
