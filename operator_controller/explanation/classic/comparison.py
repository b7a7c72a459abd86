"""Both answers side by side: ours, and that of a Subscription as near to the request as there can be one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from olmv1.versions import quoted
from operator_controller.explanation.classic.choice import ClassicChoice, Move, choices_in
from operator_controller.explanation.classic.difference import Difference, Rule, differences, is_same
from operator_controller.explanation.reading import Catalogs, with_package
from operator_controller.resolver import CatalogContent, Chosen, PackageIndex, Request, Unresolved

__all__ = ["Classic", "compared"]


@dataclass(frozen=True, slots=True)
class Classic:
    """The answer of OLM Classic to a Subscription of `catalog` and `channel`.

    `error` is Classic's own text when it fails. `choices` are those of every channel of every catalog. `documented`:
    what steps 3 and 4 of the documented order would do, which look into other catalogs; its resolver never does.
    """

    catalog: str
    channel: str
    move: Move
    bundle: str
    version: str
    hops: tuple[str, ...]
    is_same: bool
    differences: tuple[Difference, ...]
    choices: tuple[ClassicChoice, ...]
    precedence: int = 0
    documented: str = ""
    error: str = ""


def compared(request: Request, answer: Chosen | Unresolved, catalogs: Catalogs) -> Classic | None:
    """The comparison; `None` when no catalog has the package: a Subscription would find as little."""
    places = with_package(catalogs)
    if not places:
        return None
    choices = {catalog.name: choices_in(catalog.name, index, request) for catalog, index in places}
    catalog, index = _named(request, answer, places)
    choice = _subscribed(request, index, choices[catalog.name])
    every = tuple(each for found in choices.values() for each in found)
    if choice is None:
        return _failed(request, answer, catalog.name, every)
    others = [
        (_subscribed(request, other, choices[place.name])) for place, other in places if place.name != catalog.name
    ]
    found = differences(request, answer, choice, index)
    return Classic(
        catalog=catalog.name,
        channel=choice.channel,
        move=choice.move,
        bundle=choice.bundle,
        version=_version(index, choice.bundle),
        hops=choice.hops,
        is_same=is_same(request, answer, choice),
        differences=(*found, *_on_catalogs(choice, [each for each in others if each is not None])),
        choices=every,
        precedence=choice.precedence,
        documented=_documented(request, choice, [each for each in others if each is not None]),
        error=_error(request, choice),
    )


def _named(
    request: Request, answer: Chosen | Unresolved, places: Sequence[tuple[CatalogContent, PackageIndex]]
) -> tuple[CatalogContent, PackageIndex]:
    """The catalog of the Subscription: where the installed bundle came from, else where ours comes from."""
    remembered = request.installed.catalog if request.installed else None
    ours = answer.catalog if isinstance(answer, Chosen) else None
    for name in (remembered, ours):
        for place in places:
            if place[0].name == name:
                return place
    return places[0]


def _subscribed(request: Request, index: PackageIndex, choices: Sequence[ClassicChoice]) -> ClassicChoice | None:
    """The channel of the Subscription: the default channel if it is asked for, else the first that is asked for."""
    by_channel = {choice.channel: choice for choice in choices}
    if request.channels:
        if index.default_channel in request.channels and index.default_channel in by_channel:
            return by_channel[index.default_channel]
        return next((by_channel[name] for name in request.channels if name in by_channel), None)
    return choices[0] if choices else None  # the default channel is the first one


def _failed(request: Request, answer: Chosen | Unresolved, catalog: str, choices: tuple[ClassicChoice, ...]) -> Classic:
    """None of the requested channels exists, or the package has none at all."""
    channel = request.channels[0] if request.channels else ""
    place = f"channel {channel} of package {request.package}" if channel else f"package {request.package}"
    found: tuple[Difference, ...] = ()
    if isinstance(answer, Chosen):
        text = "the package has no channels, and OLM Classic sees bundles in channels only"
        found = (Difference(Rule.NO_CHANNEL, text),)
    return Classic(
        catalog=catalog,
        channel=channel,
        move=Move.ERROR,
        bundle="",
        version="",
        hops=(),
        is_same=isinstance(answer, Unresolved),
        differences=found,
        choices=choices,
        error=_unsatisfiable(request, place),
    )


def _error(request: Request, choice: ClassicChoice) -> str:
    if choice.move is not Move.ERROR:
        return ""
    return choice.chain.error or _unsatisfiable(request, f"channel {choice.channel} of package {request.package}")


def _unsatisfiable(request: Request, place: str) -> str:
    """The text of Classic, for a Subscription that is called like its package."""
    name = request.package
    return (
        f"constraints not satisfiable: no operators found in {place} in the catalog referenced by subscription {name}, "
        f"subscription {name} exists"
    )


def _on_catalogs(choice: ClassicChoice, others: Sequence[ClassicChoice]) -> Iterator[Difference]:
    """Catalogs from which a Subscription gets something else: there the user decides, here priorities do."""
    for other in others:
        if (other.move, other.bundle) != (choice.move, choice.bundle) and other.bundle:
            text = (
                f"a Subscription that names catalog {other.catalog} gets {quoted(other.bundle)}; here priorities decide"
            )
            yield Difference(Rule.OTHER_CATALOG, text)


def _documented(request: Request, choice: ClassicChoice, others: Sequence[ClassicChoice]) -> str:
    if request.installed is None or choice.move is not Move.STAY:
        return ""
    for step in (1, 2):
        for other in others:
            if other.move is Move.UPGRADE and other.precedence == step:
                what = "head" if step == 1 else "next one"
                return f"step {step + 2}: the {what} of catalog {other.catalog}, {quoted(other.bundle)}"
    return ""


def _version(index: PackageIndex, bundle: str) -> str:
    candidate = index.by_name.get(bundle)
    if candidate is None:
        return ""
    return str(candidate.version) if candidate.version is not None else candidate.bundle.version_text or ""
