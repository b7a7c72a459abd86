"""The rules in which OLM Classic and OLM v1 differ, and which of them made one choice differ.

Rule: resolution.md 15, "Classic".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from olmv1.versions import VersionRelease, quoted
from operator_controller.explanation.classic.choice import ClassicChoice, Move
from operator_controller.explanation.reading import range_of, version_of
from operator_controller.resolver import Candidate, Chosen, PackageIndex, Request, Unresolved

__all__ = ["Difference", "Rule", "differences"]


class Rule(StrEnum):
    """A rule that one of the two has and the other has not."""

    CATALOGS_TIED = "catalogs tied"
    CLUSTER = "cluster"
    DEFAULT_CHANNEL = "default channel"
    DEPRECATION = "deprecation"
    HEAD = "head versus highest version"
    NO_CHANNEL = "no channel"
    NO_ERROR = "no error when nothing fits"
    NO_ROLLBACK = "no rollback"
    OFF_CHAIN = "off the chain"
    ONE_CHANNEL = "one channel"
    OTHER_CATALOG = "other catalog"
    PRERELEASE_ORDER = "pre-release order"
    SELF_CERTIFIED = "self-certified upgrade"
    SEVERAL_CHAINS = "several chains"
    SKIPPED_ENTRY = "skipped entry"
    VERSION_RANGE = "version range"


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule at work, in a sentence without its full stop."""

    rule: Rule
    text: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """Both choices about one request."""

    request: Request
    answer: Chosen | Unresolved
    choice: ClassicChoice
    index: PackageIndex

    @property
    def theirs(self) -> Candidate | None:
        return self.index.by_name.get(self.choice.bundle)

    @property
    def installed(self) -> VersionRelease | None:
        return version_of(self.request.installed)

    @property
    def is_step_back(self) -> bool:
        """Whether Classic goes to a lower version."""
        theirs = self.theirs.version if self.theirs is not None else None
        return self.installed is not None and theirs is not None and theirs < self.installed


def differences(
    request: Request, answer: Chosen | Unresolved, choice: ClassicChoice, index: PackageIndex
) -> tuple[Difference, ...]:
    """The rules that make the difference, the decisive one first; for equal choices those that only we share with it.

    `index` is the package in the catalog of `choice`.
    """
    pair = _Pair(request, answer, choice, index)
    if is_same(request, answer, choice):
        return tuple(_on_agreement(pair))
    found = _on_refusal(pair, answer) if isinstance(answer, Unresolved) else _on_choice(pair, answer)
    return tuple(dict.fromkeys(found))


def is_same(request: Request, answer: Chosen | Unresolved, choice: ClassicChoice) -> bool:
    """Whether both end at the same bundle, the installed one included."""
    if isinstance(answer, Unresolved):
        return choice.move is Move.ERROR
    theirs = request.installed_name if choice.move is Move.STAY else choice.bundle
    return answer.bundle.name == theirs


def _on_agreement(pair: _Pair) -> Iterator[Difference]:
    ours, installed = pair.answer, pair.installed
    if not isinstance(ours, Chosen) or installed is None or not pair.is_step_back:
        return
    if ours.version.version.key[:3] == installed.version.key[:3]:
        way = "the Go reference would stay, both of us follow the edge"
        yield Difference(Rule.PRERELEASE_ORDER, f"{ours.version} is lower than {installed} as versions go: {way}")


def _on_refusal(pair: _Pair, answer: Unresolved) -> Iterator[Difference]:
    if pair.choice.move is Move.STAY:
        text = "OLM Classic has nothing to do then and is satisfied; here what is installed must fit the request"
        yield Difference(Rule.NO_ERROR, text)
        return
    yield from _on_range(pair)
    yield from _on_removal(pair, answer)
    if pair.is_step_back and pair.theirs is not None:
        yield _step_back(pair.theirs)
    if "in multiple catalogs" in answer.message:
        text = "a Subscription names one catalog; here all that are selected count, and nothing decides between them"
        yield Difference(Rule.CATALOGS_TIED, text)


def _step_back(theirs: Candidate) -> Difference:
    text = f"OLM Classic follows the edge to the lower version {theirs.version}; here nothing goes back by itself"
    return Difference(Rule.NO_ROLLBACK, text)


def _on_range(pair: _Pair) -> Iterator[Difference]:
    wanted, theirs = range_of(pair.request.range_text), pair.theirs
    version = theirs.version if theirs is not None else None
    if wanted is not None and version is not None and not wanted.contains(version.version):
        text = f"OLM Classic knows no version range: it follows its channel to {version}, outside {quoted(wanted.text)}"
        yield Difference(Rule.VERSION_RANGE, text)


_OWN_RULES = frozenset({"version", "release", "channel", "upgrade edge", "rollback"})


def _on_removal(pair: _Pair, answer: Chosen | Unresolved) -> Iterator[Difference]:
    """Rules that Classic does not have and that removed its choice here."""
    for catalog, rule, reason in answer.trace.reasons_for(pair.choice.bundle):
        if catalog == pair.choice.catalog and rule not in _OWN_RULES:
            yield Difference(Rule.CLUSTER, f'rule "{rule}" removes {quoted(pair.choice.bundle)} here: {reason}')


def _on_choice(pair: _Pair, chosen: Chosen) -> Sequence[Difference]:
    found = [*_on_place(pair, chosen), *_on_range(pair), *_on_removal(pair, chosen)]
    return found or list(_on_order(pair, chosen))


def _on_place(pair: _Pair, chosen: Chosen) -> Iterator[Difference]:
    """Our bundle is where Classic does not look."""
    name, choice, request = quoted(chosen.bundle.name), pair.choice, pair.request
    ours = pair.index.by_name.get(chosen.bundle.name)
    if chosen.catalog != choice.catalog or ours is None:
        text = f"a Subscription names one catalog, {choice.catalog}; here {name} comes from {chosen.catalog}"
        yield Difference(Rule.OTHER_CATALOG, text)
    elif choice.channel not in ours.channels and not chosen.is_installed:
        if request.channels:
            text = f"a Subscription has one channel, {choice.channel}; {name} is in another one of the request"
            yield Difference(Rule.ONE_CHANNEL, text)
        else:
            text = f"without a channel OLM Classic takes the default channel {choice.channel}; {name} is not in it"
            yield Difference(Rule.DEFAULT_CHANNEL, text)
    elif choice.chain.error:
        yield Difference(Rule.SEVERAL_CHAINS, f"OLM Classic refuses the channel: {choice.chain.error}")
    elif not chosen.is_installed:
        yield from _on_chain(choice, chosen.bundle.name)


def _on_chain(choice: ClassicChoice, name: str) -> Iterator[Difference]:
    if name in choice.chain.skipped:
        text = f"{quoted(name)} is skipped in channel {choice.channel}, and OLM Classic never takes a skipped entry"
        yield Difference(Rule.SKIPPED_ENTRY, text)
    if name in choice.chain.off:
        text = f"{quoted(name)} is off the chain that leads along replaces from the head of channel {choice.channel}"
        yield Difference(Rule.OFF_CHAIN, text)


def _on_order(pair: _Pair, chosen: Chosen) -> Iterator[Difference]:
    """Both bundles are within reach of both, and their order differs."""
    theirs = pair.theirs
    if pair.is_step_back and theirs is not None:
        yield _step_back(theirs)
    elif theirs is not None and theirs.is_deprecated and chosen.bundle.name not in chosen.deprecations.bundles:
        text = f"{quoted(theirs.name)} is deprecated, and deprecated bundles come last here"
        yield Difference(Rule.DEPRECATION, text)
    elif pair.request.is_self_certified:
        text = "the policy SelfCertified needs no edges; OLM Classic has nothing like it"
        yield Difference(Rule.SELF_CERTIFIED, text)
    elif theirs is not None:
        text = (
            f"OLM Classic takes what is nearest to the head of channel {pair.choice.channel} and compares no versions; "
            f"here the highest version wins, {chosen.version}"
        )
        yield Difference(Rule.HEAD, text)
