"""`olm crd-check OLD NEW`: whether definitions can be upgraded without harm to objects and clients."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import ClusterOptions, OutputOptions
from olm_cli.output import answer, say
from olm_cli.problems import BadInput, ExitCode

if TYPE_CHECKING:
    from olm_cli.crd_checking import Check, Definitions
    from olm_cli.crd_checking.checking import Reader
    from operator_controller.crd_safety import ObjectsToRead, Stored, StoredCheck

__all__ = ["CRD_CHECK"]

_CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Which definitions are compared, and with which objects."""

    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="The definitions that are there: FILE, DIR, bundle IMAGE, - for standard input; cluster for those of "
            "the cluster that NEW has as well, cluster:NAME for all of a ClusterExtension.",
        ),
    ]
    new: Annotated[str, typer.Argument(metavar="NEW", help="The definitions that come: FILE, DIR, bundle IMAGE or -.")]
    objects: Annotated[
        str | None,
        typer.Option(
            "--objects",
            metavar="FILE|cluster",
            help="The stored custom resources; those of the cluster when OLD is from there, else none are known.",
        ),
    ] = None
    accept: Annotated[
        list[str],
        typer.Option(
            "--accept",
            metavar="ID",
            help="Accept a finding by its id, as the annotation crd-accept does; may be given several times.",
        ),
    ] = field(default_factory=list)
    max_objects: Annotated[
        int, typer.Option("--max-objects", metavar="N", min=1, help="Read at most so many objects of one kind.")
    ] = 20_000
    pull_cas_dir: Annotated[
        Path | None,
        typer.Option("--pull-cas-dir", metavar="DIR", help="CA certificates to trust when an image is pulled."),
    ] = None

    @property
    def asks_for_objects(self) -> bool:
        """Whether the objects of the cluster are looked at."""
        return self.objects == _CLUSTER if self.objects is not None else self.is_old_in_cluster

    @property
    def is_old_in_cluster(self) -> bool:
        """Whether the definitions that are there are the cluster's."""
        return self.old == _CLUSTER or self.old.startswith(f"{_CLUSTER}:")


def crd_check(options: CheckOptions, *, cluster: ClusterOptions, output: OutputOptions) -> ExitCode:
    """Tell what new CustomResourceDefinitions do to stored objects and to clients; nothing is changed.

    Every change is safe, breaking, or depends on the stored objects: then those are looked at, and the ones that would
    lose data or become invalid are named. A definition that goes is blocked while it has objects. These are the checks
    that the controller makes before an upgrade.

    The exit code is 0 when the upgrade is safe, 1 when a finding blocks it, 2 when the input is wrong, 3 when it
    depends on objects that are not known, or the cluster or a registry does not answer.
    """
    checks = asyncio.run(_check(options, cluster))
    from olm_cli.crd_checking import blocks_of, document_of  # noqa: PLC0415 - `olm --help` needs no schemas
    from olm_cli.crd_checking.checking import Result  # noqa: PLC0415

    answer(output.output, document_of(checks), blocks_of(checks))
    results = {each.result for each in checks}
    if Result.BLOCKED in results:
        return ExitCode.NO
    return ExitCode.CANNOT_TELL if Result.UNKNOWN in results else ExitCode.YES


CRD_CHECK = Command(
    name="crd-check",
    run=crd_check,
    summary="Tell whether CRDs can be upgraded without harm.",
    examples={
        "olm crd-check ./my-operator/1.0.0 ./my-operator/1.1.0": "two bundle directories",
        "olm crd-check old.yaml new.yaml --objects lamps.yaml": "files, with the custom resources that count",
        "olm crd-check cluster quay.io/example/bundle:v2": "what a bundle image would do to this cluster",
        "olm crd-check cluster:lamps ./my-operator/2.0.0": "also which definitions of the extension lamps would go",
        "olm crd-check cluster ./2.0.0 --accept lamps.example.com:existingFieldRemoval:v1:^.spec.color": (
            "that lamps lose their color is known and fine"
        ),
    },
)


async def _check(options: CheckOptions, cluster: ClusterOptions) -> tuple[Check, ...]:
    from olm_cli.crd_checking import checked, definitions_at  # noqa: PLC0415 - `olm --help` needs no schemas
    from operator_controller.crd_safety import accepted_of  # noqa: PLC0415

    places = [options.old, options.new, options.objects]
    if places.count("-") > 1:
        raise BadInput("standard input can be one of OLD, NEW and --objects only")
    accepted = accepted_of("\n".join(options.accept), where="--accept")
    new = await definitions_at(options.new, options.pull_cas_dir)
    async with AsyncExitStack() as stack:
        access = _Access(options, cluster, stack)
        old = await access.old(new)
        checks = await checked(old, new, accepted, await access.reader())
    for entry in sorted(accepted.ids):
        if entry.partition(":")[0] not in old.found:
            say(f"warning: --accept {entry}: there is no such definition in {old.place}")
    return checks


class _Access:
    """Connects to the cluster when something of it is needed."""

    def __init__(self, options: CheckOptions, cluster: ClusterOptions, stack: AsyncExitStack) -> None:
        self._options = options
        self._cluster = cluster
        self._stack = stack

    async def old(self, new: Definitions) -> Definitions:
        """The definitions that are there."""
        from olm_cli.crd_checking import definitions_at  # noqa: PLC0415

        if not self._options.is_old_in_cluster:
            return await definitions_at(self._options.old, self._options.pull_cas_dir)
        # Imported here: files are compared without a Kubernetes client.
        from olm_cli.cluster import connected  # noqa: PLC0415
        from olm_cli.crd_checking.asking import definitions_named, definitions_of_extension  # noqa: PLC0415

        _, _, extension = self._options.old.partition(":")
        client = await self._stack.enter_async_context(connected(self._cluster))
        if extension:
            return await definitions_of_extension(client, extension)
        return await definitions_named(client, new.found)

    async def reader(self) -> Reader | None:
        """What reads stored objects."""
        if not self._options.asks_for_objects:
            if self._options.objects is None:
                return None
            from olm_cli.crd_checking.checking import reader_of_objects  # noqa: PLC0415
            from olm_cli.crd_checking.places import objects_in  # noqa: PLC0415

            return reader_of_objects(objects_in(self._options.objects))
        from olm_cli.cluster import connected  # noqa: PLC0415
        from olm_cli.crd_checking.asking import stored_objects  # noqa: PLC0415

        client = await self._stack.enter_async_context(connected(self._cluster))

        async def read(wanted: ObjectsToRead, check: StoredCheck) -> Stored:
            return await stored_objects(client, wanted, check, self._options.max_objects)

        return read
