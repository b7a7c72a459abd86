from __future__ import annotations

import pytest

from operator_controller.upgradeability import Minor


@pytest.mark.parametrize(
    ("version", "following"),
    [
        ("4.18.0", "4.19"),
        ("4.18.7", "4.19"),
        ("4.18.0-rc1", "4.19"),
        ("4.18.0-rc.1", "4.19"),
        ("4.18.0+build", "4.19"),
        ("v4.18", "4.19"),
        ("4.22.1", "4.23"),
        ("4.23.0", "5.1"),
        ("5.0.0", "5.1"),
        ("5.1.3", "5.2"),
    ],
)
def test_next_minor_follows_the_current_one(version: str, following: str) -> None:
    assert str(Minor.of_version(version).next) == following


@pytest.mark.parametrize("text", ["", "4", "latest", "4.x.1", "4.18rc1", "-4.18.0", "4.١٨.0"])
def test_version_without_a_minor_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f'^expected an OpenShift version such as 4.18.3, found "{text}"$'):
        Minor.of_version(text)


def test_minors_are_ordered_as_releases() -> None:
    assert Minor(4, 9) < Minor(4, 10) < Minor(4, 22) < Minor(4, 23) < Minor(5, 1)


def test_two_names_of_a_release_are_one() -> None:
    assert (Minor(4, 23) == Minor(5, 0), len({Minor(4, 23), Minor(5, 0)}), Minor(4, 23) < Minor(5, 0)) == (
        True,
        1,
        False,
    )
