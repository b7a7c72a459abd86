from __future__ import annotations

import pytest

from olm_cli.similar import did_you_mean, similar

KNOWN = ["lantern-operator", "lamp", "candle", "candle-holder", "torch", "ab"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("lantern", ("lantern-operator",), id="part of a name"),
        pytest.param("lantern-operatr", ("lantern-operator",), id="typo"),
        pytest.param("Candle", ("candle", "candle-holder"), id="letter case"),
        pytest.param("the-torch", ("torch",), id="longer than the name"),
        pytest.param("zebra", (), id="nothing near"),
        pytest.param("abacus", (), id="short names are in everything"),
        pytest.param("", (), id="empty"),
    ],
)
def test_similar_finds_what_was_meant(name: str, found: tuple[str, ...]) -> None:
    assert similar(name, KNOWN) == found


def test_did_you_mean_ends_a_message() -> None:
    assert did_you_mean("candl", KNOWN) == '; did you mean "candle" or "candle-holder"?'
    assert did_you_mean("zebra", KNOWN) == ""
