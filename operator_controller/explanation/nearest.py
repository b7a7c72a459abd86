"""The versions of a package that are nearest to a range which holds none of them."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.versions import Range, VersionRelease
from operator_controller.explanation.reading import Catalogs, indexes_of
from operator_controller.explanation.step import pin_of
from operator_controller.resolver import Request

__all__ = ["nearest_versions"]


def nearest_versions(request: Request, wanted: Range, catalogs: Catalogs) -> tuple[str, ...]:
    """The highest version below the range and the lowest above it, in the requested channels; either may be missing.

    Pre-releases and deprecated bundles count only when there is nothing else.
    """
    cuts = wanted.admitted.cuts
    if not cuts:
        return ()
    every = sorted(_known(request, catalogs), key=lambda each: each[0])
    known = [version for version, is_good in every if is_good] or [version for version, _ in every]
    below = [each for each in known if (each.version.key, 0) < cuts[0]][-1:]
    above = [each for each in known if (each.version.key, 0) >= cuts[-1]][:1] if len(cuts) % 2 == 0 else []
    return tuple(pin_of(each) for each in (*below, *above))


def _known(request: Request, catalogs: Catalogs) -> Iterator[tuple[VersionRelease, bool]]:
    channels = frozenset(request.channels)
    for index in indexes_of(catalogs):
        for each in index.candidates:
            is_in = not channels or bool(each.channels & channels)
            if each.version is not None and is_in:
                yield each.version, not each.version.version.prerelease and not each.is_deprecated
