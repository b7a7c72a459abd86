"""The real catalog and bundles, found through `OLMV1_TEST_DATA`, and larger ones grown from them by renaming."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from benchmarks.case import MeasuringError
from devcluster.binaries import PROJECT_DIR
from devcluster.images import files_of
from e2e.fleet import Member

__all__ = ["bundle_folders", "catalog_files", "large_bundle", "package_name", "redirected"]

_IMAGE_HOST = re.compile(rb"(?m)^(image: )[^/\s]+/")
_PACKAGE = re.compile(rb"(?m)^name: (\S+)\nschema: olm.package$")
_LARGE_CRDS = 22
_LARGE_BYTES = 5_400_000


@cache
def catalog_folder() -> Path:
    """The folder of the real catalog, one folder with a `catalog.yaml` for each package."""
    found = sorted(path for path in (_data_dir() / "catalogs").iterdir() if path.is_dir())
    if not found:
        raise MeasuringError(f"no catalog in {_data_dir() / 'catalogs'}")
    return found[0]


def bundle_folders() -> tuple[Path, ...]:
    """The folders of the real bundles, without those that were broken on purpose."""
    return tuple(
        path for path in sorted((_data_dir() / "bundles").glob("*/*")) if path.is_dir() and "broken" not in path.name
    )


@cache
def catalog_files(copies: int) -> Mapping[str, bytes]:
    """The files of a catalog `copies` times as large as the real one; every copy has package names of its own."""
    grown = {}
    for path in sorted(catalog_folder().glob("*/catalog.yaml")):
        content = path.read_bytes()
        package = package_name(content)
        for number in range(copies):
            name = f"{package}-{number}" if number else package
            grown[f"{name}/catalog.yaml"] = _renamed(content, package, name) if number else content
    return grown


def package_name(content: bytes) -> str:
    """The package that a file of the real catalog holds."""
    found = _PACKAGE.search(content)
    if found is None:
        raise MeasuringError("a file of the catalog has no package")
    return found[1].decode()


def redirected(files: Mapping[str, bytes], host: str) -> dict[str, bytes]:
    """The same files with every bundle image at the registry `host`, where it is missing."""
    return {path: _IMAGE_HOST.sub(rb"\g<1>" + host.encode() + b"/missing/", content) for path, content in files.items()}


def large_bundle(member: Member) -> dict[str, bytes]:
    """The first bundle of `member` with 22 definitions and 5.4 MB in all; the schema is a real one, repeated."""
    files = member.bundle("1.0.0")
    [csv_path] = [path for path in files if "clusterserviceversion" in path]
    [crd_path] = [path for path in files if path.endswith(".crd.yaml")]
    csv, crd = yaml.safe_load(files[csv_path]), yaml.safe_load(files[crd_path])
    schema = _largest_schema()
    for number in range(1, _LARGE_CRDS):
        grown = _definition(crd, schema, number)
        csv["spec"]["customresourcedefinitions"]["owned"].append(_owned(grown))
        files[f"manifests/{grown['metadata']['name']}.json"] = json.dumps(grown).encode()
    files[csv_path] = json.dumps(csv).encode()
    return files


def _data_dir() -> Path:
    folder = Path(os.environ.get("OLMV1_TEST_DATA", PROJECT_DIR.parent / "shared" / "data"))
    if not folder.is_dir():
        raise MeasuringError(f"no test data at {folder}: set OLMV1_TEST_DATA to a folder with catalogs/ and bundles/")
    return folder


def _renamed(content: bytes, old: str, new: str) -> bytes:
    """A package under another name: in its own blob, and where its channels and bundles name it."""
    value = re.escape(old.encode())
    pattern = rb"(?m)^(name: |package: |\s+packageName: )" + value + rb"$"
    return re.sub(pattern, lambda match: match[1] + new.encode(), content)


def _definition(crd: Mapping[str, Any], schema: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Definition `number`: the one of the sample under another name, with the schema repeated until it is large."""
    grown = copy.deepcopy(dict(crd))
    plural, kind = f"{crd['spec']['names']['plural']}x{number}", f"{crd['spec']['names']['kind']}X{number}"
    grown["metadata"]["name"] = f"{plural}.{crd['spec']['group']}"
    grown["spec"]["names"] = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    size = len(json.dumps(schema))
    copies = max(_LARGE_BYTES // (_LARGE_CRDS - 1) // size, 1)
    version = grown["spec"]["versions"][0]
    properties = version["schema"]["openAPIV3Schema"].setdefault("properties", {})
    properties.update({f"part{index}": schema for index in range(copies)})
    return grown


def _owned(crd: Mapping[str, Any]) -> dict[str, Any]:
    spec = crd["spec"]
    return {"name": crd["metadata"]["name"], "kind": spec["names"]["kind"], "version": spec["versions"][0]["name"]}


@cache
def _largest_schema() -> Mapping[str, Any]:
    """The largest schema of a definition in the real bundles."""
    found: list[tuple[int, Mapping[str, Any]]] = []
    for folder in bundle_folders():
        for path, content in files_of(folder).items():
            if path.startswith("manifests/") and b"kind: CustomResourceDefinition" in content:
                found += [(len(content), document) for document in yaml.safe_load_all(content) if document]
    _, largest = max(found, key=lambda item: item[0])
    schema: Mapping[str, Any] = largest["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    return schema
