"""ClusterExtensions out of a file or of the cluster, as requests for the resolver."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from olm_cli.objects import objects_of
from olm_cli.options import ClusterOptions
from olm_cli.problems import BadInput
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import TerminalError
from olmv1.selectors import Selector
from olmv1.yaml import YamlError, load_all
from operator_controller.resolver import InstalledBundle
from operator_controller.simulation import Subject
from operator_controller.target import request_of, selector_of

__all__ = ["Extension", "Extensions", "extensions_in_file", "extensions_of_cluster"]

_KIND = "ClusterExtension"


@dataclass(frozen=True, slots=True)
class Extension:
    """One extension, and which catalogs it selects."""

    subject: Subject
    selector: Selector


@dataclass(frozen=True, slots=True)
class Extensions:
    """Extensions by name; `kube_version` is that of their cluster, `None` when nobody knows."""

    found: tuple[Extension, ...]
    kube_version: str | None = None


def extensions_in_file(place: str) -> Extensions:
    """The ClusterExtensions in a file (`-`: standard input): one or more documents, lists of them, JSON or YAML.

    Objects of other kinds are passed over.

    Raises:
        BadInput: it cannot be read, or holds none.
    """
    name = "standard input" if place == "-" else place
    try:
        content = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
        documents = load_all(content, name=name)
    except OSError as error:
        raise BadInput(f"--extensions {place}: {error.strerror or error}") from error
    except YamlError as error:
        raise BadInput(f"--extensions {place}: {error}") from error
    manifests = [each for each in objects_of(documents) if each.get("kind") == _KIND]
    if not manifests:
        raise BadInput(f"--extensions {place}: expected at least one {_KIND}, found none")
    return Extensions(_extensions(manifests))


async def extensions_of_cluster(cluster: ClusterOptions) -> Extensions:
    """The ClusterExtensions of the cluster and its Kubernetes version.

    Raises:
        CannotTell: the cluster does not answer.
    """
    # Imported here: a file is read without a Kubernetes client.
    from olm_cli.asking.kube_version import kube_version_of  # noqa: PLC0415
    from olm_cli.cluster import connected, listed  # noqa: PLC0415
    from olm_cli.progress import working  # noqa: PLC0415
    from olmv1.kube.resources import CLUSTER_EXTENSIONS  # noqa: PLC0415

    async with connected(cluster) as client:
        with working("asking the cluster for its extensions"):
            return Extensions(_extensions(await listed(client, CLUSTER_EXTENSIONS)), await kube_version_of(client))


def _extensions(manifests: Iterable[Mapping[str, Any]]) -> tuple[Extension, ...]:
    found: dict[str, Extension] = {}
    for manifest in manifests:
        try:
            ext = ClusterExtension.parse(manifest)
            extension = Extension(_subject(ext), selector_of(ext))
        except TerminalError as error:
            raise BadInput(str(error)) from error
        if ext.name in found:
            raise BadInput(f'{_KIND} "{ext.name}" is there twice')
        found[ext.name] = extension
    return tuple(found[name] for name in sorted(found))


def _subject(ext: ClusterExtension) -> Subject:
    install = ext.status.install
    if install is None:
        return Subject(ext.name, request_of(ext, None))
    bundle = install.bundle
    installed = InstalledBundle(bundle.name, bundle.version, bundle.release, catalog=install.catalog)
    return Subject(ext.name, replace(request_of(ext, None), installed=installed))
