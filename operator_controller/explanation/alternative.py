"""What else could be asked for: one change of the request at a time, each tried with the resolver before it is told.

Rule: resolution.md 16.16, "nearest alternatives".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from olmv1.api.names import LABEL_METADATA_NAME
from olmv1.versions import opened, quoted
from operator_controller.explanation.reading import Catalogs, channels_of, indexes_of, range_of
from operator_controller.explanation.route import route_of
from operator_controller.explanation.step import pin_of
from operator_controller.explanation.wanted import Wanted, wanted_bundles
from operator_controller.resolver import CatalogContent, Chosen, Request, resolve

__all__ = ["Alternative", "alternatives_to"]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A change of the request, and the bundle that it leads to.

    `spec`: the fields of `spec.source.catalog` that change, `None` for one to remove. `steps`: how many upgrades it
    takes, each of which must be asked for when there are several; 0 when the extension stays on what is installed.
    """

    change: str
    bundle: str
    version: str
    catalog: str
    steps: int = 1
    spec: Mapping[str, object] = field(default_factory=dict)
    caution: str = ""


@dataclass(frozen=True, slots=True)
class _Change:
    text: str
    request: Request
    spec: Mapping[str, object]
    caution: str = ""
    only: CatalogContent | None = None


def alternatives_to(request: Request, catalogs: Catalogs, nearest: Sequence[str]) -> tuple[Alternative, ...]:
    """The changes that help a request that is refused, gentlest first, one for each bundle that one can get.

    `nearest`: versions just outside the range.
    """
    found: dict[tuple[str, str], Alternative] = {}
    for change in _changes(request, catalogs, nearest):
        alternative = _tried(change, catalogs)
        if alternative is not None:
            found.setdefault((alternative.bundle, alternative.catalog), alternative)
    return tuple(found.values())


def _tried(change: _Change, every: Catalogs) -> Alternative | None:
    catalogs = every if change.only is None else (change.only,)
    answer = resolve(change.request, catalogs)
    if isinstance(answer, Chosen):
        steps = 0 if answer.is_installed else 1
        version = pin_of(answer.version)
        return Alternative(change.text, answer.bundle.name, version, answer.catalog, steps, change.spec, change.caution)
    route = None if change.request.is_self_certified else route_of(change.request, catalogs)
    if route is None or not route.steps or route.refusal:
        return None
    end = route.steps[-1]
    return Alternative(change.text, end.bundle, end.pin, end.catalog, len(route.steps), change.spec, change.caution)


def _changes(request: Request, catalogs: Catalogs, nearest: Sequence[str]) -> Iterator[_Change]:
    yield from _open_prereleases(request, catalogs)
    yield from _other_channels(request, catalogs)
    yield from _one_catalog(request, catalogs)
    if request.hold_major:
        yield _Change("stop holding the major version", replace(request, hold_major=False), {})
    for version in nearest:
        text = f"ask for version {quoted(version)}"
        yield _Change(text, replace(request, range_text=version), {"version": version})
    if not request.is_self_certified and request.installed is not None:
        certified = replace(request, policy="SelfCertified")
        caution = "no edge of a catalog vouches for this step"
        spec = {"upgradeConstraintPolicy": "SelfCertified"}
        yield _Change("set upgradeConstraintPolicy to SelfCertified", certified, spec, caution)
    if request.range_text:
        yield _Change("ask for no version", replace(request, range_text=None), {"version": None})


def _open_prereleases(request: Request, catalogs: Catalogs) -> Iterator[_Change]:
    wanted = range_of(request.range_text)
    if wanted is None or not any(
        each.version is not None and wanted.hides(each.version.version)
        for index in indexes_of(catalogs)
        for each in index.candidates
    ):
        return
    text = opened(wanted)
    change = f"admit pre-releases with version {quoted(text)}"
    yield _Change(change, replace(request, range_text=text), {"version": text})


def _one_catalog(request: Request, catalogs: Catalogs) -> Iterator[_Change]:
    """Each catalog alone, where there are several, the one with the best bundle first."""
    found = {each.catalog.name: each.catalog for each in wanted_bundles(request, catalogs)}
    for name, place in found.items() if len(catalogs) > 1 else ():
        spec = {"selector": {"matchLabels": {LABEL_METADATA_NAME: name}}}
        yield _Change(f"select catalog {name} alone, or raise its priority", request, spec, only=place)


def _other_channels(request: Request, catalogs: Catalogs) -> Iterator[_Change]:
    """Names that were misspelt; one more channel; every channel."""
    if not request.channels:
        return
    spelled = _spelled(request.channels, channels_of(catalogs))
    if spelled != request.channels:
        text = f"ask for channels [{' '.join(spelled)}]"
        yield _Change(text, replace(request, channels=spelled), {"channels": list(spelled)})
    anywhere = replace(request, channels=())
    for name in _promising(request, catalogs, wanted_bundles(anywhere, catalogs)[:1]):
        more = (*request.channels, name)
        yield _Change(
            f"allow channel {quoted(name)} as well", replace(request, channels=more), {"channels": list(more)}
        )
    if request.installed is not None:
        yield _Change("ask for no channel", anywhere, {"channels": None})


def _spelled(channels: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    """The channels, unknown ones replaced by the known one that is nearest to them, if any is near."""
    near = (name if name in known else next(iter(get_close_matches(name, sorted(known), 1)), name) for name in channels)
    return tuple(dict.fromkeys(near))


_TRIED = 3


def _promising(request: Request, catalogs: Catalogs, wanted: Sequence[Wanted]) -> Sequence[str]:
    """Other channels that hold what is wanted or what is installed: default channels first, then by name."""
    held = {name for each in wanted for name in each.candidate.channels}
    defaults = set()
    for index in indexes_of(catalogs):
        held |= index.graph.members.get(request.installed_name, frozenset())
        defaults.add(index.default_channel)
    return sorted(held - set(request.channels), key=lambda name: (name not in defaults, name))[:_TRIED]
