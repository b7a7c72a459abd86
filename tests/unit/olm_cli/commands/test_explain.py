from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.data import data_dir
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog

P = ("explain", "-p", "lantern-operator", "--catalog", LIGHTS)


@pytest.fixture
def lamp(tmp_path: Path) -> str:
    """0.1.0 → 0.2.0 → 0.3.0 in stable, and 1.0.0 in fast, which nothing leads to."""
    names = [f"lamp.v{version}" for version in ("0.1.0", "0.2.0", "0.3.0")]
    stable: list[dict[str, Any]] = [{"name": names[0]}]
    stable += [{"name": name, "replaces": before} for before, name in pairwise(names)]
    return write_catalog(
        tmp_path / "lights",
        a_blob("olm.package", "lamp", defaultChannel="stable"),
        a_blob("olm.channel", "stable", "lamp", entries=stable),
        a_blob("olm.channel", "fast", "lamp", entries=[{"name": "lamp.v1.0.0"}]),
        *(a_blob("olm.bundle", name, "lamp") for name in (*names, "lamp.v1.0.0")),
    )


def test_explain_shows_the_whole_report(lamp: str) -> None:
    said = olm("explain", "-p", "lamp", "--catalog", lamp, "--installed", "0.1.0", "--version", "0.3.0")
    assert said == Said(1, (Path(__file__).parent / "explained_route.txt").read_text())


def test_explain_of_a_choice_shows_what_follows(lamp: str) -> None:
    said = olm("explain", "-p", "lamp", "--catalog", lamp, "--installed", "0.1.0")
    assert said == Said(0, (Path(__file__).parent / "explained_choice.txt").read_text())


def test_explain_as_json_is_for_machines(lamp: str) -> None:
    said = olm("explain", "-p", "lamp", "--catalog", lamp, "--installed", "0.1.0", "--version", "1.0.0", "-o", "json")
    found = said.json
    assert (said.code, found["extension"], found["cause"]["kind"], found["hints"]) == (1, None, "NoEdge", [])
    assert (found["route"]["wanted"], found["route"]["steps"]) == ("lamp.v1.0.0", [])
    assert [(each["change"], each["spec"]) for each in found["alternatives"]] == [
        ("set upgradeConstraintPolicy to SelfCertified", {"upgradeConstraintPolicy": "SelfCertified"}),
        ("ask for no version", {"version": None}),
    ]
    assert (found["classic"]["bundle"], found["classic"]["isSame"]) == ("lamp.v0.2.0", False)
    assert len(found["candidates"]) == 4


def test_explain_says_what_resolve_does() -> None:
    asked = ("--installed", "1.0.0", "--version", "2.0.0", "-o", "json")
    refused = olm("resolve", *P[1:], *asked)
    assert olm(*P, *asked).json["decision"]["message"] == refused.json["error"]
    taken = olm("resolve", *P[1:], "--version", "~1.0", "-o", "json")
    chosen = olm(*P, "--version", "~1.0", "-o", "json").json["decision"]["chosen"]
    assert {key: chosen[key] for key in ("bundle", "version", "release", "catalog", "image")} == {
        key: taken.json[key] for key in ("bundle", "version", "release", "catalog", "image")
    }


def test_explain_suggests_a_package_when_the_name_is_unknown() -> None:
    said = olm("explain", "-p", "lantern", "--catalog", LIGHTS)
    hint = 'package "lantern" is in none of the catalogs [lights-2]; did you mean "lantern-operator"?'
    assert (said.code, f"  hint: {hint}\n" in said.out) == (1, True)


def test_explain_calls_a_range_that_is_none_bad_input() -> None:
    said = olm(*P, "--version", ">=1..")
    assert (said.code, said.out.partition("\n")[0]) == (2, "lantern-operator: no bundle (InvalidRange)")


def test_explain_cannot_tell_while_a_catalog_is_out_of_reach() -> None:
    said = olm(*P, "--catalog", "away=127.0.0.1:1/lights/catalog:v1", "-o", "json")
    assert (said.code, said.json["cause"]["kind"]) == (3, "CatalogUnusable")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        pytest.param(
            (),
            "explain what? name an extension: olm explain NAME, or a package: olm explain --package PACKAGE",
            id="nothing",
        ),
        pytest.param(
            ("lantern", "-p", "lamp"),
            'an extension "lantern" and a package "lamp" are named: drop one of them',
            id="both",
        ),
        pytest.param(
            ("-p", "lamp", "--catalog", LIGHTS, "--kube-version", "new"),
            '--kube-version new: expected a version such as 1.30.2, found "new"',
            id="Kubernetes version",
        ),
    ],
)
def test_explain_refuses(options: tuple[str, ...], error: str) -> None:
    assert olm("explain", *options) == Said(2, "", f"error: {error}\n")


def test_explain_cuts_long_lists_unless_all_is_asked_for(tmp_path: Path) -> None:
    names = [f"lamp.v1.{number}.0" for number in range(20)]
    entries: list[dict[str, Any]] = [{"name": names[0]}]
    entries += [{"name": name, "replaces": before} for before, name in pairwise(names)]
    bundles = [a_blob("olm.bundle", name, "lamp") for name in names]
    path = write_catalog(tmp_path / "c", a_blob("olm.channel", "s", "lamp", entries=entries), *bundles)
    asked = ("explain", "-p", "lamp", "--catalog", path, "--installed", "1.0.0", "--version", "1.19.0")
    short, whole = olm(*asked).out, olm(*asked, "--all").out
    assert "and 10 more: show them with --all" in short
    assert "9 more: --all" in short
    assert "--all" not in whole
    assert all(f"lamp.v1.{number}.0" in whole for number in range(20))


@pytest.mark.data
def test_explain_shows_the_route_of_a_refused_upgrade_of_a_real_package() -> None:
    path = f"certified={data_dir('catalogs', 'certified-v4.19')}"
    asked = ("-p", "habana-ai-operator", "--installed", "1.21.4-3", "--version", "1.24.0-1007")
    said = olm("explain", "--catalog", path, *asked)
    title, _, section = said.out.partition("Shortest route")[2].partition("\n")
    assert (said.code, title) == (1, " to 1.24.0-1007: 2 steps")
    assert [line.split()[:2] for line in section.splitlines()[:3]] == [
        ["STEP", "VERSION"],
        ["1", "1.23.0-695"],
        ["2", "1.24.0-1007"],
    ]
    assert 'with version: ">=1.21.4-3 <=1.24.0-1007" in spec.source.catalog the controller walks there' in section
