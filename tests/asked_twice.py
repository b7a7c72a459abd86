"""The same question for the resolver and for the oracle, and their answers in a form that can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from olmv1.fbc import package_of
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    InstalledBundle,
    Request,
    index_package,
    resolve,
)
from tests.oracle import Answer, Asking, OracleCatalog, choose, oracle_catalog, unusable, without_package

__all__ = ["Catalogs", "CatalogSpec", "answers"]

Blobs = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class CatalogSpec:
    """One catalog: the blobs of the package (`None`: it has none), or why it cannot be used."""

    name: str
    blobs: Blobs | None = None
    priority: int = 0
    problem: str | None = None


class Catalogs:
    """Catalogs of one package, read once for each side."""

    def __init__(self, package: str, specs: Iterable[CatalogSpec]) -> None:
        every = tuple(specs)
        self.ours = [_ours(package, spec) for spec in every]
        self.oracles = [_oracles(spec) for spec in every]


def answers(asking: Asking, catalogs: Catalogs) -> tuple[Answer, Answer]:
    """What the resolver answers and what the oracle does."""
    expected = choose(asking, catalogs.oracles)
    answer = resolve(_request(asking), catalogs.ours)
    if isinstance(answer, Chosen):
        return Answer(answer.catalog, answer.bundle.name), expected
    # Where the oracle's text ends before the words of a parser, those words are not compared.
    is_start = expected.error.endswith((": ", "failed to "))
    return Answer(error=answer.message[: len(expected.error)] if is_start else answer.message), expected


def _ours(package: str, spec: CatalogSpec) -> CatalogContent | CatalogProblem:
    if spec.problem is not None:
        return CatalogProblem(spec.name, spec.priority, spec.problem)
    read = None if spec.blobs is None else package_of(package, [json.dumps(blob).encode() for blob in spec.blobs])
    return CatalogContent(spec.name, spec.priority, None if read is None else index_package(read))


def _oracles(spec: CatalogSpec) -> OracleCatalog:
    if spec.problem is not None:
        return unusable(spec.name, spec.problem, spec.priority)
    if spec.blobs is None:
        return without_package(spec.name, spec.priority)
    return oracle_catalog(spec.name, spec.blobs, spec.priority)


def _request(asking: Asking) -> Request:
    having = asking.having
    installed = None if having is None else InstalledBundle(**asdict(having))
    return Request(
        asking.package,
        asking.version,
        asking.channels,
        "SelfCertified" if asking.is_self_certified else "CatalogProvided",
        installed,
        hold_major=asking.hold_major,
        kube_version=asking.kube_version,
    )
