"""The bundle that the specification chooses: `resolution.md` 2 to 7 as amended by `00-decisions.md`, word by word.

Slow on purpose: every rule is a plain loop over everything, written from the text and not from the resolver. Nothing of
the product is imported here. Where the text leaves a gap, `Reading:` says how it was closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from tests.oracle import blang, masterminds
from tests.oracle.catalog import OracleBundle, OracleCatalog, OracleEntry, kubernetes
from tests.oracle.semver import Numbered, Semver, UnreadableError, compare_numbered, numbered


@dataclass(frozen=True)
class Having:
    """The installed bundle as it was recorded."""

    name: str
    version: str
    release: str | None = None
    catalog: str | None = None


@dataclass(frozen=True)
class Asking:
    """What is asked."""

    package: str
    version: str | None = None
    channels: tuple[str, ...] = ()
    is_self_certified: bool = False
    having: Having | None = None
    hold_major: bool = False
    kube_version: str | None = None


@dataclass(frozen=True)
class Answer:
    """A bundle and its catalog, or an error; `error` is the start of the text where a parser's words follow."""

    catalog: str = ""
    bundle: str = ""
    error: str = ""


@dataclass(frozen=True)
class _Offer:
    catalog: OracleCatalog
    bundle: OracleBundle
    is_stay: bool


def choose(asking: Asking, catalogs: Sequence[OracleCatalog]) -> Answer:
    wanted = None
    if asking.version:
        try:
            wanted = masterminds.parse(asking.version)
        except UnreadableError:
            return Answer(error=f'desired version range "{asking.version}" is invalid: ')
    installed = None
    if asking.having is not None:
        try:
            installed = numbered(asking.having.version, asking.having.release)
        except UnreadableError:
            if not asking.is_self_certified and any(catalog.has_package for catalog in catalogs):
                return Answer(error="error walking catalogs: error finding upgrade edges: failed to ")
    return _Choice(asking, tuple(catalogs), wanted, installed).answer()


@dataclass(frozen=True)
class _Choice:
    asking: Asking
    catalogs: tuple[OracleCatalog, ...]
    wanted: list[list[masterminds.Comparator]] | None
    installed: Numbered | None

    # 7. Texts

    def answer(self) -> Answer:
        offers = [offer for catalog in self.catalogs if (offer := self.offer(catalog)) is not None]
        left = [offer for offer in offers if not offer.bundle.is_deprecated] or offers  # 5.1
        winner = self.winner(left)
        waits = self.waits_for(left, winner)
        if waits:
            first = min(waits, key=lambda catalog: (-catalog.priority, catalog.name))
            start = f'error walking catalogs: error getting package "{self.asking.package}"'
            return Answer(error=f'{start} from catalog "{first.name}": {first.problem}')
        if winner is None:
            return Answer(error=self.row_6(sorted(offer.catalog.name for offer in left)))
        if winner.bundle.number is None:
            return Answer(error=f'error getting resolved bundle version for bundle "{winner.bundle.name}": ')
        return Answer(winner.catalog.name, winner.bundle.name)

    def row_6(self, several: list[str]) -> str:
        asking = self.asking
        parts = []
        if asking.having is not None:
            parts.append(f'error upgrading from currently installed version "{asking.having.version}":')
        parts.append(
            f'{"found" if several else "no"} bundles {"" if several else "found "}for package "{asking.package}"'
        )
        if asking.version:
            parts.append(f'matching version "{asking.version}"')
        if asking.channels:
            parts.append(f"in channels [{' '.join(asking.channels)}]")
        if several:
            parts.append(f"in multiple catalogs with the same priority [{' '.join(several)}]")
        return " ".join(parts)

    # 5. Across catalogs, with 16.2 and 16.10

    def winner(self, left: list[_Offer]) -> _Offer | None:
        if not left:
            return None
        highest = max(offer.catalog.priority for offer in left)
        tied = [offer for offer in left if offer.catalog.priority == highest]
        if len(tied) == 1:
            return tied[0]
        for offer in tied:
            if self.asking.having is not None and offer.catalog.name == self.asking.having.catalog:
                return offer
        if len({(offer.bundle.name, offer.bundle.image) for offer in tied}) == 1:
            return min(tied, key=lambda offer: offer.catalog.name)
        return None

    def waits_for(self, left: list[_Offer], winner: _Offer | None) -> list[OracleCatalog]:
        """16.2: the catalogs that cannot be used and on which the result could depend."""
        sick = [catalog for catalog in self.catalogs if catalog.problem is not None]
        if winner is not None and winner.is_stay:
            return []  # (a)
        if not left or left[0].bundle.is_deprecated:
            return sick
        highest = max(offer.catalog.priority for offer in left)
        home = self.asking.having.catalog if self.asking.having is not None else None
        found = []
        for catalog in sick:
            if catalog.priority > highest:
                found.append(catalog)
            # Reading: of the same priority the catalog that the installed bundle came from wins the tie (16.10), so a
            # tie already won by it is final, and a tie that nobody won can be settled by that catalog only.
            if catalog.priority == highest:
                could_decide = catalog.name == home if winner is None else winner.catalog.name != home
                found += [catalog] if could_decide else []
        return found

    # 3. Filtering

    def offer(self, catalog: OracleCatalog) -> _Offer | None:
        passing = [bundle for bundle in catalog.bundles if self.is_candidate(bundle, catalog)]
        if not passing:
            return None
        better: Callable[[OracleBundle, OracleBundle], int] = lambda one, two: self.order(one, two, catalog)  # noqa: E731
        best = min(passing, key=cmp_to_key(better))
        return _Offer(catalog, best, self.is_installed(best))

    def is_candidate(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        return (
            self.is_in_channels(bundle, catalog)
            and self.is_in_range(bundle.number)
            and (self.is_successor(bundle, catalog) or self.is_installed(bundle))
            and self.is_no_rollback(bundle, catalog)
            and self.is_of_held_major(bundle)
            and self.is_fit_for_kubernetes(bundle)
        )

    def is_in_channels(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        wanted = self.asking.channels
        return not wanted or any(bundle.name in catalog.members(channel) for channel in wanted)

    def is_in_range(self, number: Numbered | None) -> bool:
        if self.wanted is None:
            return True
        if number is None or not masterminds.contains(self.wanted, number.version):
            return False
        pinned = masterminds.only_full_version(self.wanted)  # decision 8
        if pinned is None or not pinned.build:
            return True
        return pinned.build in (number.version.build, ".".join(number.release or ()))

    def is_successor(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        if self.asking.having is None or self.asking.is_self_certified:
            return True
        having = self.asking.having
        version = self.installed.version if self.installed else None
        return any(entry.name == bundle.name for entry in self.edges_from(having.name, version, catalog))

    def edges_from(self, name: str, version: Semver | None, catalog: OracleCatalog) -> list[OracleEntry]:
        """The entries that are successors of that bundle, in the channels that count."""
        return [entry for entry in self.counted(catalog) if _is_named(entry, name) or _is_in_skip_range(entry, version)]

    def counted(self, catalog: OracleCatalog) -> list[OracleEntry]:
        wanted = self.asking.channels
        return [entry for entry in catalog.entries if not wanted or entry.channel in wanted]

    def is_installed(self, bundle: OracleBundle) -> bool:
        """Version and release are equal, and the name as well (16.19)."""
        having = self.asking.having
        if having is None or self.installed is None or bundle.number is None or bundle.name != having.name:
            return False
        return compare_numbered(bundle.number, self.installed) == 0

    def is_no_rollback(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        """Decisions 2 and 3. Reading: a version that cannot be read is not known to be lower."""
        if self.installed is None or bundle.number is None or self.is_installed(bundle) or self.may_go_back():
            return True
        order = compare_numbered(bundle.number, self.installed)
        if self.asking.is_self_certified:
            return order >= 0  # decision 3: never a lower one
        if order > 0:
            return True
        if self.leads_back(bundle, catalog):
            return False  # 16.1; Reading: also for another bundle of the same version, else both replace each other
        if order == 0:
            return True  # it is a successor (16.19)
        having = self.asking.having
        is_respin = bundle.number.version[:3] == self.installed.version[:3]
        entries = [entry for entry in self.counted(catalog) if entry.name == bundle.name]
        return is_respin and having is not None and any(_is_named(entry, having.name) for entry in entries)

    def may_go_back(self) -> bool:
        if not self.is_in_range(self.installed):
            return True
        having = self.asking.having
        if not self.asking.is_self_certified or not self.asking.channels or having is None:
            return False
        # Reading: "the channels exclude the installed one" needs a catalog that has it in another channel or in none;
        # a bundle that is gone everywhere was withdrawn, and a catalog that cannot be used could still have it.
        if any(catalog.problem is not None for catalog in self.catalogs):
            return False
        homes = {each.channel for catalog in self.catalogs for each in catalog.entries if each.name == having.name}
        is_known = homes or any(bundle.name == having.name for catalog in self.catalogs for bundle in catalog.bundles)
        return bool(is_known) and not homes & set(self.asking.channels)

    def leads_back(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        """16.1: edges lead from the bundle to the installed one. Reading: over bundles that exist."""
        having = self.asking.having
        reached: set[str] = set()
        before = -1
        while len(reached) != before:
            before = len(reached)
            for each in catalog.bundles:
                if each.name in reached or each == bundle:
                    version = each.number.version if each.number else None
                    reached |= {
                        entry.name
                        for entry in self.edges_from(each.name, version, catalog)
                        if having is not None
                        and (entry.name == having.name or any(entry.name == other.name for other in catalog.bundles))
                    }
        return having is not None and having.name in reached

    def is_of_held_major(self, bundle: OracleBundle) -> bool:
        """Decision 4. Reading: a version that cannot be read is not known to cross."""
        if not self.asking.hold_major or self.asking.is_self_certified or self.installed is None:
            return True
        return bundle.number is None or bundle.number.version.major == self.installed.version.major

    def is_fit_for_kubernetes(self, bundle: OracleBundle) -> bool:
        """Decision 5. Reading: the installed bundle may stay (16.2a); pre-releases of a cluster do not count."""
        cluster = kubernetes(self.asking.kube_version or "")
        return cluster is None or self.is_installed(bundle) or all(cluster >= least for least in bundle.kubernetes)

    # 4. Ordering, with decision 1, 16.1 and 16.20

    def order(self, one: OracleBundle, two: OracleBundle, catalog: OracleCatalog) -> int:
        """Negative when `one` is the better."""
        if one.is_deprecated != two.is_deprecated:
            return 1 if one.is_deprecated else -1
        if (one.number is None) != (two.number is None):
            return 1 if one.number is None else -1
        if self.merit(one, catalog) != self.merit(two, catalog):
            return self.merit(two, catalog) - self.merit(one, catalog)
        if one.number is not None and two.number is not None and compare_numbered(one.number, two.number):
            return -compare_numbered(one.number, two.number)
        return -1 if one.name < two.name else 1

    def merit(self, bundle: OracleBundle, catalog: OracleCatalog) -> int:
        """Decision 1: successors, then those that every channel skips, then staying; a mere lookalike is the last.

        Reading: a lookalike has the installed version but another name and no edge that does not lead back (16.19).
        """
        if self.is_installed(bundle):
            return 1
        is_level = bundle.number is not None and self.installed is not None
        if is_level and compare_numbered(bundle.number, self.installed) == 0 and self.is_lookalike(bundle, catalog):  # type: ignore[arg-type]
            return 0
        return 2 if self.is_skipped(bundle, catalog) else 3

    def is_lookalike(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        having = self.asking.having
        if having is None:
            return False
        version = self.installed.version if self.installed else None
        edges = self.edges_from(having.name, version, catalog)
        return all(entry.name != bundle.name for entry in edges) or self.leads_back(bundle, catalog)

    def is_skipped(self, bundle: OracleBundle, catalog: OracleCatalog) -> bool:
        """Every channel that counts and holds the bundle has an entry that skips it."""
        channels = {entry.channel for entry in self.counted(catalog) if entry.name == bundle.name}
        skipping = {entry.channel for entry in self.counted(catalog) if bundle.name in entry.skips}
        return bool(channels) and channels <= skipping


def _is_named(entry: OracleEntry, name: str) -> bool:
    return entry.replaces == name or name in entry.skips


def _is_in_skip_range(entry: OracleEntry, version: Semver | None) -> bool:
    if not entry.skip_range or version is None:
        return False
    try:
        return blang.contains(blang.parse(entry.skip_range), version)
    except UnreadableError:
        return False
