"""How well packages fit the words of a search. Pure.

Every word must be found somewhere; where it is found decides how much it counts, and the best place of each word does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from olm_cli.profile import Profile

__all__ = ["Match", "match_of"]

_EXACT_NAME = 100
_PART_OF_NAME = 70
_EXACT_API = 60
_NAME_START = 55
_NAME = 50
_EXACT_KEYWORD = 45
_DISPLAY_NAME = 35
_API = 25
_KEYWORD = 20
_PROVIDER = 10
_DESCRIPTION = 5


@dataclass(frozen=True, slots=True)
class Match:
    """How a package fits: more `score` is better, `reasons` name the place of each word once."""

    score: int
    reasons: tuple[str, ...]


def match_of(words: Sequence[str], package: str, description: str, profile: Profile) -> Match | None:
    """The match of a package with its own `description` and its profile; `None` when a word is nowhere."""
    best: list[tuple[int, str]] = []
    for word in words:
        places = list(_places(word.casefold(), package.casefold(), f"{description} {profile.description}", profile))
        if not places:
            return None
        best.append(max(places, key=lambda place: place[0]))
    return Match(sum(score for score, _ in best), tuple(dict.fromkeys(reason for _, reason in best)))


def _places(word: str, package: str, description: str, profile: Profile) -> Iterator[tuple[int, str]]:
    """Every place where the word is found, with its score."""
    if word in package:
        yield _in_name(word, package), "name"
    if word in profile.display_name.casefold():
        yield _DISPLAY_NAME, "name"
    for api in profile.provides:
        names = (api.kind.casefold(), api.name.casefold())
        if word in f"{api.name}/{api.version}".casefold():
            yield _EXACT_API if word in names else _API, f"provides {api.kind}"
    for keyword in profile.keywords:
        if word in keyword.casefold():
            yield _EXACT_KEYWORD if word == keyword.casefold() else _KEYWORD, f"keyword {keyword}"
    if word in profile.provider.casefold():
        yield _PROVIDER, f"by {profile.provider}"
    if word in f"{description} {profile.summary}".casefold():
        yield _DESCRIPTION, "description"


def _in_name(word: str, package: str) -> int:
    if word == package:
        return _EXACT_NAME
    if word in package.split("-"):
        return _PART_OF_NAME
    return _NAME_START if package.startswith(word) else _NAME
