"""The extension that is rolled back, and everything of the cluster that its next bundle is judged by."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from olm_cli.asking import Asked
from olm_cli.asking.extension import asked_about_extension
from olm_cli.asking.neighbours import Neighbours
from olm_cli.asking.operator_word import operator_word
from olm_cli.cluster import connected, listed
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import CannotTell
from olm_cli.progress import working
from olm_cli.wanted import WantedOptions
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.kube.resources import CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, annotations_of
from operator_controller.revisions.view import RevisionView, extension_of, installed, view_of

__all__ = ["Subject", "subject_named"]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """`asked` is the question as the extension puts it now; `word` why its operator must not be replaced, or empty."""

    ext: ClusterExtension
    asked: Asked
    neighbours: Neighbours
    revisions: tuple[RevisionView, ...]
    word: str

    @property
    def manifest(self) -> Manifest:
        """The extension as it is stored."""
        return self.neighbours.ext

    @property
    def annotations(self) -> Mapping[str, str]:
        """Its annotations."""
        return annotations_of(self.manifest)

    @property
    def catalog_spec(self) -> Mapping[str, Any]:
        """Its `spec.source.catalog`, as it is stored."""
        found: Mapping[str, Any] = self.manifest["spec"]["source"]["catalog"]
        return found

    @property
    def installed(self) -> RevisionView | None:
        """The revision that is installed."""
        return installed(self.revisions)


@asynccontextmanager
async def subject_named(name: str, catalogs: CatalogOptions, cluster: ClusterOptions) -> AsyncIterator[Subject]:
    """The extension `name`; its catalogs can be read as long as the context lasts.

    Raises:
        NotThere: the cluster has no such extension.
        CannotTell: the cluster does not answer.
        TerminalError: the extension cannot be read.
    """
    async with asked_about_extension(name, WantedOptions(), catalogs, cluster) as asked:
        neighbours = asked.neighbours
        if neighbours is None:
            raise CannotTell(f'nothing is known around ClusterExtension "{name}"')
        async with connected(cluster) as client:
            with working("asking the cluster for revisions"):
                sets = [each for each in await listed(client, CLUSTER_OBJECT_SETS) if extension_of(each) == name]
                revisions = tuple(view_of(each) for each in sets)
                ext = ClusterExtension.parse(neighbours.ext)
                word = await operator_word(client, neighbours.served, ext.spec.namespace, installed(revisions))
        yield Subject(ext, asked, neighbours, revisions, word)
