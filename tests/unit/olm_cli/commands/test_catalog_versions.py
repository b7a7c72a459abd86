from __future__ import annotations

from pathlib import Path

from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog


def test_versions_shows_bundles_with_their_edges_and_deprecations() -> None:
    assert olm("catalog", "versions", "lantern-operator", "--catalog", LIGHTS) == Said(
        0,
        "lantern-operator in catalog lights-2\n"
        "\n"
        "VERSION   CHANNELS     UPGRADES FROM        BUNDLE                    NOTES\n"
        '2.0.0     stable-v2    ">=1.2.0 <2.0.0"     lantern-operator.v2.0.0\n'
        "1.2.0     stable-v1*   1.0.1, skips 1.1.0   lantern-operator.v1.2.0\n"
        "1.1.0     stable-v1*   1.0.1                lantern-operator.v1.1.0   skipped\n"
        "1.0.1     stable-v1*   1.0.0                lantern-operator.v1.0.1\n"
        "1.0.0     stable-v1*                        lantern-operator.v1.0.0   deprecated\n"
        "\n"
        "* the default channel\n"
        "bundle lantern-operator.v1.0.0 deprecated: lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.\n",
    )


def test_versions_as_json_has_every_edge() -> None:
    said = olm("catalog", "versions", "lantern-operator", "--catalog", LIGHTS, "--channel", "stable-v2", "-o", "json")
    assert said.json == [
        {
            "package": "lantern-operator",
            "catalog": "lights-2",
            "defaultChannel": "stable-v1",
            "deprecated": [],
            "channels": [{"name": "stable-v2", "isDefault": False, "deprecated": []}],
            "versions": [
                {
                    "bundle": "lantern-operator.v2.0.0",
                    "version": "2.0.0",
                    "release": None,
                    "image": "registry.example.com/lights/lantern-operator-bundle:v2.0.0",
                    "deprecated": [],
                    "channels": [{"name": "stable-v2", "skipRange": ">=1.2.0 <2.0.0"}],
                    "skippedIn": [],
                }
            ],
            "invalidSkipRanges": [],
        }
    ]


def an_odd_catalog(folder: Path) -> str:
    many = [f"lamp.v0.{number}.0" for number in range(6)]
    return write_catalog(
        folder,
        a_blob("olm.package", "lamp", defaultChannel="none-such"),
        a_blob("olm.channel", "a", "lamp", entries=[{"name": "lamp.v2.0.0", "replaces": "lamp.v1.0.0", "skips": many}]),
        a_blob(
            "olm.channel", "b", "lamp", entries=[{"name": "lamp.v2.0.0", "skipRange": "<v2"}, {"name": "lamp.v1.0.0"}]
        ),
        a_blob("olm.channel", "c", "lamp", entries=[{"name": "lamp.v2.0.0"}, {"name": "x", "skips": ["lamp.v2.0.0"]}]),
        a_blob("olm.bundle", "lamp.v2.0.0", "lamp", release="3"),
        a_blob("olm.bundle", "lamp.v1.0.0", "lamp"),
        a_blob("olm.bundle", "lamp.v1.5.0", "lamp"),
        a_blob("olm.bundle", "lamp.odd", "lamp", version="odd"),
        a_blob(
            "olm.deprecations",
            "",
            "lamp",
            entries=[
                {"reference": {"schema": "olm.package"}, "message": "all of it"},
                {"reference": {"schema": "olm.channel", "name": "b"}, "message": "this one"},
            ],
        ),
    )


def test_versions_shows_what_is_odd(tmp_path: Path) -> None:
    said = olm("catalog", "versions", "lamp", "--catalog", an_odd_catalog(tmp_path / "cat"))
    edges = "a: 1.0.0, skips lamp.v0.0.0 lamp.v0.1.0 lamp.v0.2.0 lamp.v0.3.0 and 2 more | "
    rows = [line.split("   ") for line in said.out.splitlines()[3:7]]
    assert [[cell.strip() for cell in row if cell] for row in rows] == [
        ["2.0.0+3", "a, b, c", f'{edges}b: "<v2" | c: nothing', "lamp.v2.0.0", "skipped in c"],
        ["1.5.0", "lamp.v1.5.0", "in no channel"],
        ["1.0.0", "b", "lamp.v1.0.0"],
        ["odd", "lamp.odd", "version cannot be read"],
    ]
    assert said.out.splitlines()[8:10] == ["package deprecated: all of it", "channel b deprecated: this one"]
    assert said.out.splitlines()[10].startswith("bundle lamp.v2.0.0 in b: skipRange ignored: ")


def test_versions_suggests_a_channel_when_the_name_is_unknown() -> None:
    error = 'package "lantern-operator" has no channel "stable"; did you mean "stable-v1" or "stable-v2"?'
    said = olm("catalog", "versions", "lantern-operator", "--catalog", LIGHTS, "--channel", "stable")
    assert said == Said(1, "", f"error: {error}\n")


def test_versions_shows_every_catalog_that_has_the_package() -> None:
    older = LIGHTS.replace("lights-2", "lights-1")
    said = olm("catalog", "versions", "lantern-operator", "--catalog", LIGHTS, "--catalog", older, "-o", "json")
    assert [document["catalog"] for document in said.json] == ["lights-2", "lights-1"]
