"""The catalogs of a cluster twice: with the one that is replaced, and with the one that takes its place and name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from olm_cli.catalogs import Catalog, Unread, opened, read_package
from olm_cli.findings import contents_of
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import BadInput, CannotTell
from olmv1.api.names import LABEL_METADATA_NAME
from olmv1.selectors import Selector
from operator_controller.resolver import CatalogContent, CatalogProblem

__all__ = ["CatalogPairs", "Contents", "opened_pairs"]

Contents = tuple[CatalogContent | CatalogProblem, ...]


@dataclass(slots=True)
class CatalogPairs:
    """The first of `before` is replaced by the first of `after`; what a package is in them is read once."""

    before: Sequence[Catalog]
    after: Sequence[Catalog]
    _read: dict[str, tuple[Contents, Contents]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the catalog that is replaced is called; its successor gets the name."""
        return self.before[0].name

    async def seen_by(self, selector: Selector, package: str) -> tuple[Contents, Contents]:
        """What an extension with this selector sees of the package before and after.

        Only names are known of these catalogs: requirements on other labels count as met.

        Raises:
            CannotTell: a catalog cannot be read.
        """
        if package not in self._read:
            sides = [await self._contents(side, package) for side in (self.before, self.after)]
            self._read[package] = (sides[0], sides[1])
        first, second = self._read[package]
        by_name = Selector(tuple(each for each in selector.requirements if each.key == LABEL_METADATA_NAME))
        return _selected(first, by_name), _selected(second, by_name)

    async def _contents(self, catalogs: Sequence[Catalog], package: str) -> Contents:
        answers = await read_package(catalogs, package)
        for answer in answers:
            if isinstance(answer, Unread):
                raise CannotTell(f'catalog "{answer.catalog}": {answer.reason}')
        first, *others = contents_of(answers)
        return (replace(first, name=self.name), *others)


@asynccontextmanager
async def opened_pairs(
    origin: str, destination: str, catalogs: CatalogOptions, cluster: ClusterOptions
) -> AsyncIterator[CatalogPairs]:
    """Both sides; `catalogs.catalog` are those that stay.

    Raises:
        BadInput: a catalog is nothing that can be read.
    """
    if catalogs.catalogd_url:
        raise BadInput("--catalogd-url: catalogs are compared by what is in them: name them with --from and --to")
    stay = catalogs.catalog
    async with (
        opened(replace(catalogs, catalog=[origin, *stay]), cluster) as before,
        opened(replace(catalogs, catalog=[destination]), cluster) as after,
    ):
        yield CatalogPairs(before, (*after, *before[1:]))


def _selected(contents: Contents, selector: Selector) -> Contents:
    return tuple(each for each in contents if selector.matches({LABEL_METADATA_NAME: each.name}))
