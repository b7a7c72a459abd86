from __future__ import annotations

import pytest

from olmv1.versions import Version
from olmv1.versions.precedence import (
    NOT_A_PRERELEASE,
    identifiers_of,
    next_major,
    next_minor,
    next_patch,
    prerelease_of,
    spelled,
)


def test_identifiers_of_tells_numbers_from_words() -> None:
    assert identifiers_of("rc.10.0.-1") == ((1, "rc"), (0, 10), (0, 0), (1, "-1"))
    assert identifiers_of("") == ()


def test_identifiers_of_refuses_a_leading_zero() -> None:
    with pytest.raises(ValueError, match=r'^the number "01" has a leading zero$'):
        identifiers_of("rc.01")


def test_prerelease_of_marks_a_released_version() -> None:
    assert prerelease_of("") == NOT_A_PRERELEASE
    assert prerelease_of("rc") == ((1, "rc"),)


def test_next_keys_are_the_lowest_of_the_next_number() -> None:
    key = Version.parse("1.2.3-rc.1").key
    assert [spelled(step(key)) for step in (next_major, next_minor, next_patch)] == ["2.0.0-0", "1.3.0-0", "1.2.4-0"]


@pytest.mark.parametrize("text", ["1.2.3", "1.2.3-rc.1"])
def test_spelled_gives_the_text_back(text: str) -> None:
    assert spelled(Version.parse(text).key) == text
