"""The gentlest change of `spec.source.catalog` that leads to a bundle, each tried with the resolver. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from operator_controller.explanation.reading import indexes_of, version_of
from operator_controller.explanation.step import pin_of
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    InstalledBundle,
    Request,
    Unresolved,
    resolve,
)

__all__ = ["Change", "Contents", "Field", "change_to", "following"]

Contents = tuple[CatalogContent | CatalogProblem, ...]
_VERSION, _POLICY, _CHANNELS = "version", "upgradeConstraintPolicy", "channels"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of `spec.source.catalog` that changes: its JSON values, `None` where it is absent."""

    name: str
    before: object
    after: object


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What is written, what is then asked of the catalogs, and what they answer.

    `fields` is empty when the spec asks for the bundle already.
    """

    fields: tuple[Field, ...]
    request: Request
    answer: Chosen | Unresolved

    def reaches(self, bundle: InstalledBundle) -> bool:
        """Whether exactly this bundle is chosen."""
        return isinstance(self.answer, Chosen) and self.answer.bundle.name == bundle.name

    @property
    def patch(self) -> Mapping[str, object]:
        """The merge patch that makes the change."""
        return _patch({each.name: each.after for each in self.fields})

    @property
    def way_back(self) -> Mapping[str, object]:
        """The merge patch that undoes it."""
        return _patch({each.name: each.before for each in self.fields})


def change_to(bundle: InstalledBundle, request: Request, spec: Mapping[str, object], contents: Contents) -> Change:
    """The first change that makes the resolver choose `bundle`; when none does, what the most usual one leads to.

    `request` is what the extension asks for now, `spec` its `spec.source.catalog`. Tried are, in this order: the pinned
    version alone; with `SelfCertified`, because edges rarely lead back; with a channel that holds the bundle.
    """
    tried = [
        Change(_fields(spec, each), each, resolve(each, contents)) for each in _requests(bundle, request, contents)
    ]
    return next((each for each in tried if each.reaches(bundle)), tried[min(1, len(tried) - 1)])


def following(bundle: InstalledBundle, request: Request, contents: Contents) -> Chosen | Unresolved:
    """What the extension gets when it has `bundle` and asks for what it asks for now."""
    return resolve(replace(request, installed=bundle), contents)


def _requests(bundle: InstalledBundle, request: Request, contents: Contents) -> Iterator[Request]:
    pinned = replace(request, range_text=_pin(bundle))
    yield pinned
    certified = replace(pinned, policy="SelfCertified")
    yield certified
    if request.channels:
        for name in _channels_with(bundle, contents):
            yield replace(certified, channels=(*request.channels, name))
        yield replace(certified, channels=())


def _pin(bundle: InstalledBundle) -> str:
    version = version_of(bundle)
    # What cannot be read is of a revision that somebody made by hand; the resolver says what is wrong with it.
    return bundle.version if version is None else pin_of(version)


def _channels_with(bundle: InstalledBundle, contents: Contents) -> Sequence[str]:
    """The channels of all catalogs that hold the bundle: default channels first, then by name."""
    indexes = indexes_of(contents)
    held = {name for index in indexes for name in index.graph.members.get(bundle.name, ())}
    defaults = {index.default_channel for index in indexes}
    return sorted(held, key=lambda name: (name not in defaults, name))


def _fields(spec: Mapping[str, object], request: Request) -> tuple[Field, ...]:
    channels = list(request.channels) or None
    wanted = {_VERSION: request.range_text, _POLICY: request.policy, _CHANNELS: channels}
    # What the API server fills in by itself is no change.
    defaults = {_POLICY: "CatalogProvided"}
    found = {name: spec.get(name) or defaults.get(name) for name in wanted}
    return tuple(Field(name, found[name], after) for name, after in wanted.items() if found[name] != after)


def _patch(fields: Mapping[str, object]) -> Mapping[str, object]:
    return {"spec": {"source": {"catalog": dict(fields)}}}
