from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from olm_cli.rolling_back.change import Change, Field, change_to, following
from operator_controller.resolver import Chosen, InstalledBundle, Request, Unresolved
from tests.packages import a_bundle, a_catalog, a_package, an_installed

PIN = Field("version", None, "1.0.0")
CERTIFIED = Field("upgradeConstraintPolicy", "CatalogProvided", "SelfCertified")
CHAIN = {"stable": ["1.0.0", "1.1.0 (R 1.0.0)"]}


def a_change(
    channels: Mapping[str, list[str]], spec: Mapping[str, Any] | None = None, *, installed: str = "1.1.0"
) -> Change:
    spec = spec or {}
    request = Request(
        "p",
        range_text=spec.get("version"),
        channels=tuple(spec.get("channels", ())),
        policy=spec.get("upgradeConstraintPolicy", "CatalogProvided"),
        installed=an_installed(installed),
    )
    contents = (a_catalog(a_package(["1.0.0", "1.1.0"], channels)),)
    return change_to(an_installed("1.0.0"), request, spec, contents)


@pytest.mark.parametrize(
    ("channels", "spec", "fields"),
    [
        pytest.param(CHAIN, {}, (PIN, CERTIFIED), id="no edge leads back"),
        pytest.param(
            CHAIN,
            {"version": "1.x", "upgradeConstraintPolicy": "SelfCertified"},
            (Field("version", "1.x", "1.0.0"),),
            id="it is SelfCertified already",
        ),
        pytest.param(
            {"stable": ["1.0.0 (S 1.1.0)", "1.1.0"]}, {}, (PIN,), id="an edge leads back: nobody needs to vouch for it"
        ),
        pytest.param(
            {"stable": ["1.0.0"], "fast": ["1.1.0"]},
            {"channels": ["fast"]},
            (PIN, CERTIFIED, Field("channels", ["fast"], ["fast", "stable"])),
            id="another channel has it",
        ),
        pytest.param(
            {"fast": ["1.1.0"]},
            {"channels": ["fast"]},
            (PIN, CERTIFIED, Field("channels", ["fast"], None)),
            id="no channel has it",
        ),
        pytest.param(
            CHAIN,
            {"channels": ["stable"], "upgradeConstraintPolicy": "CatalogProvided"},
            (PIN, CERTIFIED),
            id="channels stay where they can",
        ),
    ],
)
def test_change_is_the_gentlest_that_helps(
    channels: Mapping[str, list[str]], spec: Mapping[str, Any], fields: tuple[Field, ...]
) -> None:
    change = a_change(channels, spec)
    assert (change.fields, change.reaches(an_installed("1.0.0"))) == (fields, True)


def test_change_gives_a_rollout_up_with_the_version_alone() -> None:
    change = a_change(CHAIN, {"version": "1.1.0"}, installed="1.0.0")
    assert change.fields == (Field("version", "1.1.0", "1.0.0"),)
    assert isinstance(change.answer, Chosen)
    assert change.answer.is_installed


def test_patches_make_the_change_and_undo_it() -> None:
    change = a_change({"stable": ["1.0.0"], "fast": ["1.1.0"]}, {"channels": ["fast"]})
    names = ("version", "upgradeConstraintPolicy", "channels")
    there, back = ("1.0.0", "SelfCertified", ["fast", "stable"]), (None, "CatalogProvided", ["fast"])
    assert [change.patch, change.way_back] == [
        {"spec": {"source": {"catalog": dict(zip(names, values, strict=True))}}} for values in (there, back)
    ]


def test_release_is_pinned_where_there_are_several() -> None:
    bundles = [a_bundle(name, version="1.0.0", release=release) for name, release in (("first", "1"), ("second", "2"))]
    target, installed = (InstalledBundle(each.name, "1.0.0", str(number)) for number, each in enumerate(bundles, 1))
    contents = (a_catalog(a_package(bundles, {"stable": ["first", "second"]})),)
    change = change_to(target, Request("p", installed=installed), {}, contents)
    assert (change.fields[0], change.reaches(target)) == (Field("version", None, "1.0.0+1"), True)


def test_change_that_nothing_makes_possible_keeps_the_answer() -> None:
    request = Request("p", installed=an_installed("1.1.0"))
    change = change_to(an_installed("1.0.0"), request, {}, (a_catalog(a_package(["1.1.0"], {"stable": ["1.1.0"]})),))
    assert (change.reaches(an_installed("1.0.0")), change.fields) == (False, (PIN, CERTIFIED))
    assert isinstance(change.answer, Unresolved)


def test_following_is_what_comes_after_the_way_back() -> None:
    contents = (a_catalog(a_package(["1.0.0", "1.1.0"], CHAIN)),)
    found = following(an_installed("1.0.0"), Request("p", installed=an_installed("1.1.0")), contents)
    assert isinstance(found, Chosen)
    assert found.bundle.name == "p.v1.1.0"
