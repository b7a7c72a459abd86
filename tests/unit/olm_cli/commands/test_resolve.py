from __future__ import annotations

from pathlib import Path

import pytest

from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog

P = ("resolve", "-p", "lantern-operator", "--catalog", LIGHTS)
OLDER = LIGHTS.replace("lights-2", "lights-1")


def test_resolve_as_json_is_the_answer_of_the_contract() -> None:
    said = olm(*P, "--version", "~1.0", "-o", "json")
    assert (said.code, said.json) == (
        0,
        {
            "bundle": "lantern-operator.v1.0.1",
            "version": "1.0.1",
            "release": None,
            "catalog": "lights-2",
            "image": "registry.example.com/lights/lantern-operator-bundle:v1.0.1",
            "deprecated": False,
        },
    )


def test_resolve_takes_the_package_as_an_argument_too() -> None:
    said = olm("resolve", "lantern-operator", "--catalog", LIGHTS, "-o", "json")
    assert said == olm(*P, "-o", "json")


def test_resolve_tells_that_the_bundle_is_deprecated() -> None:
    said = olm(*P, "--version", "1.0.0", "-o", "json")
    assert (said.json["version"], said.json["deprecated"]) == ("1.0.0", True)


def test_resolve_gives_the_release_as_text(tmp_path: Path) -> None:
    bundle = a_blob("olm.bundle", "lamp.v1.0.0", "lamp", version="1.0.0", release="2")
    said = olm("resolve", "-p", "lamp", "--catalog", write_catalog(tmp_path / "cat", bundle), "-o", "json")
    assert (said.json["version"], said.json["release"]) == ("1.0.0", "2")


def test_resolve_for_people_names_step_and_deprecations() -> None:
    image = "registry.example.com/lights/lantern-operator-bundle:v1.0.0"
    assert olm(*P, "--version", "1.0.0", "--installed", "1.0.0") == Said(
        0,
        "lantern-operator.v1.0.0\n"
        "version:      1.0.0\n"
        "catalog:      lights-2\n"
        f"image:        {image}\n"
        "step:         stays on what is installed\n"
        "deprecated:   lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.\n",
    )


@pytest.mark.parametrize(
    ("options", "version"),
    [
        pytest.param(["--installed", "1.0.0"], "1.0.1", id="replaces"),
        pytest.param(["--installed", "lantern-operator.v1.0.1"], "1.2.0", id="by name"),
        pytest.param(["--installed", "1.1.0"], "1.2.0", id="skips"),
        pytest.param(["--installed", "1.2.0"], "2.0.0", id="skipRange"),
        pytest.param(["--installed", "1.2.0", "--channel", "stable-v1"], "1.2.0", id="channel"),
        pytest.param(["--installed", "1.2.0", "--version", "1.0.1", "--policy", "SelfCertified"], "1.0.1", id="back"),
    ],
)
def test_resolve_follows_the_edges_from_what_is_installed(options: list[str], version: str) -> None:
    assert olm(*P, *options, "-o", "json").json["version"] == version


def test_resolve_says_why_there_is_no_bundle() -> None:
    error = 'error upgrading from currently installed version "1.0.0": no bundles found for package "lantern-operator"'
    assert olm(*P, "--installed", "1.0.0", "--version", "2.0.0") == Said(
        1,
        f'{error} matching version "2.0.0"\n'
        "  catalog lights-2: 5 bundles, 1 after version, 0 after upgrade edge\n"
        '    lantern-operator.v2.0.0: no upgrade edge from "lantern-operator.v1.0.0"\n',
    )


def test_resolve_suggests_a_package_when_the_name_is_unknown() -> None:
    hint = 'package "lantern" is in none of the catalogs [lights-2]; did you mean "lantern-operator"?'
    said = olm("resolve", "-p", "lantern", "--catalog", LIGHTS)
    assert said == Said(
        1, f'no bundles found for package "lantern"\n  catalog lights-2: package not found\n  hint: {hint}\n'
    )


def test_resolve_names_channels_that_do_not_exist() -> None:
    said = olm(*P, "--channel", "stable")
    assert 'hint: channel "stable" of package "lantern-operator" is in no catalog\n' in said.out


def test_resolve_says_where_the_rest_is_when_it_shows_a_few() -> None:
    said = olm(*P, "--version", ">=9")
    assert said.out.endswith("    … and 2 more: olm explain shows every bundle, and what helps\n")


def test_resolve_reports_a_tie() -> None:
    error = (
        'found bundles for package "lantern-operator" in multiple catalogs with the same priority [lights-1 lights-2]'
    )
    said = olm(*P, "--catalog", OLDER, "-o", "json")
    assert (said.code, said.json) == (1, {"error": error, "reason": "Retrying"})


def test_resolve_calls_a_range_that_is_none_bad_input() -> None:
    error = 'desired version range ">=1.." is invalid: improper constraint: ">=1.."'
    said = olm(*P, "--version", ">=1..", "-o", "json")
    assert (said.code, said.json, said.err) == (2, {"error": error, "reason": "Blocked"}, "")


def test_resolve_cannot_tell_while_a_catalog_is_out_of_reach() -> None:
    away = "away=127.0.0.1:1/lights/catalog:v1"
    said = olm("resolve", "-p", "lantern-operator", "--catalog", away, "-o", "json")
    assert (said.code, said.json["reason"]) == (3, "Retrying")
    error = 'error walking catalogs: error getting package "lantern-operator" from catalog "away": '
    assert said.json["error"].startswith(error)
    assert "hint" not in olm("resolve", "-p", "lantern-operator", "--catalog", away).out


def test_resolve_names_a_bundle_that_is_not_there() -> None:
    said = olm(*P, "--installed", "lantern-operator.v1")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: --installed lantern-operator.v1: expected a version or the name of a bundle")
