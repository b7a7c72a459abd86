from __future__ import annotations

import pytest

from operator_controller.explanation import Classic, Move
from operator_controller.resolver import CatalogContent, Request
from tests.explanations import C1, a_place, a_request, explained
from tests.packages import a_catalog


def classic_of(request: Request, *catalogs: CatalogContent) -> Classic:
    found = explained(request, *catalogs).classic
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("channels", "channel"),
    [
        pytest.param([], "alpha", id="the default channel"),
        pytest.param(["beta"], "beta", id="the only one"),
        pytest.param(["beta", "alpha"], "alpha", id="the default channel among several"),
        pytest.param(["gone", "beta"], "beta", id="the first that exists"),
    ],
)
def test_subscription_has_the_channel(channels: list[str], channel: str) -> None:
    assert classic_of(a_request(channels=channels), C1).channel == channel


def test_unknown_channel_fails_in_the_words_of_classic() -> None:
    classic = classic_of(a_request(channels=["gone"]), C1)
    assert (classic.move, classic.error, classic.is_same) == (
        Move.ERROR,
        "constraints not satisfiable: no operators found in channel gone of package p in the catalog referenced by "
        "subscription p, subscription p exists",
        True,
    )


def test_channel_without_bundles_fails_too() -> None:
    classic = classic_of(a_request(channels=["empty"]), a_place({"empty": ["1.0.0"], "full": ["2.0.0"]}, ["2.0.0"]))
    assert classic.error.startswith("constraints not satisfiable: no operators found in channel empty of package p")


def test_package_in_no_catalog_is_not_compared() -> None:
    assert explained(a_request(), a_catalog(None)).classic is None


def test_head_by_skip_range_is_step_1_and_the_chain_is_step_2() -> None:
    place = a_place({"s": ["3.0.0 (R 2.0.0; SR <2.0.0)", "2.0.0 (R 1.0.0)", "1.0.0"]})
    assert [classic_of(a_request(text), place).precedence for text in ("1.0.0", "2.0.0", "3.0.0")] == [1, 2, 0]


def test_other_catalogs_are_steps_3_and_4_of_the_documents_only() -> None:
    own = a_place({"s": ["1.0.0"]}, name="own")
    heads = a_place({"s": ["2.0.0 (SR <2.0.0)"]}, name="heads")
    nexts = a_place({"s": ["1.1.0 (R 1.0.0)"]}, name="nexts")
    request = a_request("1.0.0", catalog="own")
    found = [classic_of(request, own, *others) for others in ((heads, nexts), (nexts,), ())]
    assert [(each.move, each.documented) for each in found] == [
        (Move.STAY, 'step 3: the head of catalog heads, "p.v2.0.0"'),
        (Move.STAY, 'step 4: the next one of catalog nexts, "p.v1.1.0"'),
        (Move.STAY, ""),
    ]


def test_every_channel_of_every_catalog_is_shown() -> None:
    other = a_place({"x": ["1.0.0"]}, name="other", priority=-1)
    shown = [
        (each.catalog, each.channel, each.is_default, each.bundle)
        for each in classic_of(a_request(), C1, other).choices
    ]
    assert shown == [
        ("cat", "alpha", True, "p.v0.1.2"),
        ("cat", "beta", False, "p.v0.1.3"),
        ("other", "x", False, "p.v1.0.0"),
    ]
