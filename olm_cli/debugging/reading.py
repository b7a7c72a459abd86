"""Asks the cluster for all that goes into an archive. What cannot be read is named in it and stops nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from olm_cli.cluster import connected, listed
from olm_cli.debugging.around import add_cluster, add_events
from olm_cli.debugging.collection import FILE_LIMIT, Collection
from olm_cli.debugging.objects import add_objects
from olm_cli.debugging.resolution import add_resolution
from olm_cli.notes import notes_blocks
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.output.plain import plain_lines
from olm_cli.problems import BadInput
from olm_cli.progress import working
from olm_cli.status import details
from olm_cli.status.reading import read_one
from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_CATALOGS, CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, name_of
from operator_controller.revisions.view import extension_of

__all__ = ["collect", "logs_in"]

_REVISIONS = 20


async def collect(
    name: str, cluster: ClusterOptions, catalogs: CatalogOptions, logs: Iterable[tuple[str, str]]
) -> Collection:
    """Everything about the extension `name`; `logs` are names and texts.

    Raises:
        NotThere: the cluster has no such extension.
        CannotTell: the cluster does not answer.
    """
    document = await read_one(cluster, name)
    made = Collection({"extension": name, "collected": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"})
    made.add_text(
        "status", text="\n".join(plain_lines([*details(document, is_wide=True), *notes_blocks(document["notes"])]))
    )
    async with connected(cluster) as client:
        with working("reading what belongs to the extension"):
            await _add_objects(client, name, made)
    with working("asking why it gets what it gets"):
        async with _part(made, "the resolution"):
            await add_resolution(name, catalogs, cluster, made)
    for title, text in logs:
        made.add_log(title, text)
    return made


def logs_in(places: Sequence[Path]) -> list[tuple[str, str]]:
    """Name and end of each file.

    Raises:
        BadInput: one cannot be read.
    """
    found = []
    for place in places:
        try:
            with place.open("rb") as log:
                log.seek(max(place.stat().st_size - FILE_LIMIT, 0))
                found.append((place.name, log.read(FILE_LIMIT).decode(errors="replace")))
        except OSError as error:
            raise BadInput(f'cannot read the log "{place}": {(error.strerror or str(error)).lower()}') from error
    return found


async def _add_objects(client: KubeClient, name: str, made: Collection) -> None:
    revisions: list[Manifest] = []
    async with _part(made, "the extension"):
        made.add_json("extension", value=await client.get(CLUSTER_EXTENSIONS, name))
    async with _part(made, "its revisions"):
        every = await listed(client, CLUSTER_OBJECT_SETS)
        revisions = sorted((each for each in every if extension_of(each) == name), key=_number)[-_REVISIONS:]
        for each in revisions:
            made.add_json("revisions", name_of(each), value=each)
    async with _part(made, "the catalogs"):
        made.add_json("catalogs", value=list(await listed(client, CLUSTER_CATALOGS)))
    async with _part(made, "the cluster"):
        await add_cluster(client, made)
    places = await add_objects(client, revisions, made)
    await add_events(client, {name, *map(name_of, revisions)}, places, made)


def _number(revision: Manifest) -> int:
    number = (revision.get("spec") or {}).get("revision")
    return number if isinstance(number, int) else 0


@asynccontextmanager
async def _part(made: Collection, what: str) -> AsyncIterator[None]:
    """A part that may be missing: the archive says so, and why."""
    try:
        yield
    except OlmError as error:
        made.miss(f"{what}: {error}")
