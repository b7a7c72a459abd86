from __future__ import annotations

import pytest

from olm_cli.profile import Api, Profile
from olm_cli.searching import Match, match_of

PROFILE = Profile(
    display_name="Bright Lamp",
    summary="Switches lights",
    description="A long text about electricity",
    provider="Example Works",
    keywords=("light", "Home Automation"),
    provides=(Api("lights.example.com", "v1", "Lamp"), Api("lights.example.com", "v1", "LampPost")),
)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        pytest.param(["lamp-operator"], Match(100, ("name",)), id="the name"),
        pytest.param(["OPERATOR"], Match(70, ("name",)), id="part of the name"),
        pytest.param(["lamp-"], Match(55, ("name",)), id="begin of the name"),
        pytest.param(["mp-o"], Match(50, ("name",)), id="inside of the name"),
        pytest.param(["bright"], Match(35, ("name",)), id="display name"),
        pytest.param(["lamppost"], Match(60, ("provides LampPost",)), id="kind"),
        pytest.param(["Lamp.lights.example.com"], Match(60, ("provides Lamp",)), id="kind and group"),
        pytest.param(["lights.example.com"], Match(25, ("provides Lamp",)), id="group"),
        pytest.param(["light"], Match(45, ("keyword light",)), id="keyword"),
        pytest.param(["automation"], Match(20, ("keyword Home Automation",)), id="part of a keyword"),
        pytest.param(["works"], Match(10, ("by Example Works",)), id="provider"),
        pytest.param(["switches"], Match(5, ("description",)), id="summary"),
        pytest.param(["electricity"], Match(5, ("description",)), id="description"),
        pytest.param(["package"], Match(5, ("description",)), id="description of the package"),
        pytest.param(["light", "electricity", "about"], Match(55, ("keyword light", "description")), id="several"),
        pytest.param(["light", "water"], None, id="one word is nowhere"),
    ],
)
def test_match_counts_the_best_place_of_every_word(words: list[str], match: Match | None) -> None:
    assert match_of(words, "lamp-operator", "said of the package", PROFILE) == match
