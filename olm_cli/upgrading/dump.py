"""The objects of a cluster out of files: YAML or JSON, one or more documents, lists of objects inside them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from olm_cli.objects import objects_of
from olm_cli.problems import BadInput
from olm_cli.upgrading.snapshot import Snapshot, places_in
from olmv1.errors import RetryableError
from olmv1.manifests import Manifest, name_of
from olmv1.yaml import YamlError, load_all
from operator_controller.revisions.plan import Place

__all__ = ["snapshot_of_dump"]

_SUFFIXES = (".yaml", ".yml", ".json")
_OLM = "olm.operatorframework.io/v1"


def snapshot_of_dump(place: str) -> Snapshot:
    """What a file, a folder or (`-`) standard input has; objects of other kinds are passed over.

    Raises:
        BadInput: it cannot be read, or no ClusterExtension, ClusterObjectSet or ClusterVersion is there.
    """
    found = [each for name, content in _contents(place) for each in objects_of(_documents(name, content))]
    extensions, object_sets = _of(found, _OLM, "ClusterExtension"), _of(found, _OLM, "ClusterObjectSet")
    versions = _of(found, "config.openshift.io/v1", "ClusterVersion")
    if not (extensions or object_sets or versions):
        expected = "expected ClusterExtensions, ClusterObjectSets or a ClusterVersion, found none"
        raise BadInput(f"--from-dump {place}: {expected}")
    for each in object_sets:
        _require_revision(place, each)
    secrets = {_place(each): each for each in _of(found, "v1", "Secret")}
    return Snapshot(
        extensions=extensions,
        object_sets=object_sets,
        catalogs=_of(found, _OLM, "ClusterCatalog"),
        cluster_version=next(iter(versions), None),
        secrets={where: secrets.get(where, _missing(where)) for where in places_in(object_sets)},
    )


def _contents(place: str) -> Iterator[tuple[str, bytes]]:
    path = Path(place)
    try:
        if place == "-":
            yield "standard input", sys.stdin.buffer.read()
        elif path.is_dir():
            for each in sorted(path.rglob("*")):
                if each.suffix in _SUFFIXES and each.is_file():
                    yield str(each), each.read_bytes()
        else:
            yield place, path.read_bytes()
    except OSError as error:
        raise BadInput(f"--from-dump {place}: {error.strerror or error}") from error


def _documents(name: str, content: bytes) -> Iterable[object]:
    try:
        return load_all(content, name=name)
    except YamlError as error:
        raise BadInput(f"--from-dump: {error}") from error


def _of(objects: Iterable[Manifest], api_version: str, kind: str) -> tuple[Manifest, ...]:
    """The objects of a kind by name; of one that is there twice, the last."""
    found = {
        (_place(each)): each for each in objects if each.get("kind") == kind and each.get("apiVersion") == api_version
    }
    return tuple(found[where] for where in sorted(found))


def _place(manifest: Manifest) -> Place:
    metadata = manifest.get("metadata") or {}
    return str(metadata.get("namespace") or ""), name_of(manifest)


def _require_revision(place: str, object_set: Manifest) -> None:
    spec = object_set.get("spec")
    if not isinstance(spec, Mapping) or not isinstance(spec.get("revision"), int) or "lifecycleState" not in spec:
        expected = "expected spec.revision and spec.lifecycleState"
        raise BadInput(f'--from-dump {place}: ClusterObjectSet "{name_of(object_set)}": {expected}')


def _missing(where: Place) -> RetryableError:
    return RetryableError(f"the dump has no Secret {'/'.join(where)}")
