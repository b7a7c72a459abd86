from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog


def test_show_lists_packages(tmp_path: Path) -> None:
    path = write_catalog(
        tmp_path / "cat",
        a_blob("olm.package", "lamp", defaultChannel="stable"),
        *(a_blob("olm.channel", name, "lamp", entries=[]) for name in ("stable", "b", "c", "d", "e", "f")),
        a_blob("olm.bundle", "candle.v1.0.0", "candle"),
        a_blob("olm.deprecations", "", "lamp", entries=[{"reference": {"schema": "olm.package"}, "message": "no oil"}]),
    )
    assert olm("catalog", "show", "--catalog", path, "--catalog", LIGHTS) == Said(
        0,
        "PACKAGE            CATALOG    DEFAULT CHANNEL   CHANNELS                DEPRECATED\n"
        "candle             cat\n"
        "lamp               cat        stable            b, c, d, e and 2 more   yes\n"
        "beacon             lights-2   stable            stable\n"
        "lantern-operator   lights-2   stable-v1         stable-v1, stable-v2\n",
    )


def test_show_lists_packages_as_json() -> None:
    said = olm("catalog", "show", "--catalog", f"lights={LIGHTS}", "-o", "json")
    assert said.json == [
        {
            "catalog": "lights",
            "package": "beacon",
            "defaultChannel": "stable",
            "channels": ["stable"],
            "deprecated": [],
            "deprecatedChannels": [],
        },
        {
            "catalog": "lights",
            "package": "lantern-operator",
            "defaultChannel": "stable-v1",
            "channels": ["stable-v1", "stable-v2"],
            "deprecated": [],
            "deprecatedChannels": [],
        },
    ]


def test_show_says_that_a_catalog_is_empty(tmp_path: Path) -> None:
    (tmp_path / "cat").mkdir()
    assert olm("catalog", "show", "--catalog", str(tmp_path / "cat")) == Said(0, "", "no packages\n")


def test_show_describes_one_package(tmp_path: Path) -> None:
    deprecations = [
        {"reference": {"schema": "olm.package"}, "message": "use lanterns"},
        {"reference": {"schema": "olm.channel", "name": "beta"}, "message": "use stable"},
        {"reference": {"schema": "olm.bundle", "name": "lamp.v1.1.0"}, "message": "burns"},
        {"reference": {"schema": "olm.bundle", "name": "lamp.v1.0.0"}, "message": "burns"},
    ]
    path = write_catalog(
        tmp_path / "cat",
        a_blob("olm.package", "lamp", defaultChannel="stable", description="Light."),
        a_blob("olm.channel", "stable", "lamp", entries=[{"name": "lamp.v1.0.0"}, {"name": "lamp.v1.1.0"}]),
        a_blob("olm.channel", "beta", "lamp", entries=[{"name": "lamp.v2.0.0"}]),
        *(a_blob("olm.bundle", f"lamp.v{version}", "lamp") for version in ("1.0.0", "1.1.0", "2.0.0")),
        a_blob("olm.deprecations", "", "lamp", entries=deprecations),
    )
    assert olm("catalog", "show", "lamp", "--catalog", path) == Said(
        0,
        "lamp in catalog cat\n"
        "default channel:   stable\n"
        "bundles:           3, 2 of them deprecated\n"
        "deprecated:        use lanterns\n"
        "\n"
        "CHANNEL            BUNDLES   NEWEST   BUNDLE        DEPRECATED\n"
        "beta               1         2.0.0    lamp.v2.0.0   use stable\n"
        "stable (default)   2         1.1.0    lamp.v1.1.0   lamp.v1.1.0: burns\n",
    )


def test_show_describes_one_package_as_yaml() -> None:
    said = olm("catalog", "show", "lantern-operator", "--catalog", LIGHTS, "-o", "yaml")
    newest: dict[str, Any] = {
        "bundle": "lantern-operator.v1.2.0",
        "version": "1.2.0",
        "release": None,
        "deprecated": [],
    }
    [document] = yaml.safe_load(said.out)
    assert document["channels"][0] == {
        "name": "stable-v1",
        "isDefault": True,
        "deprecated": [],
        "bundles": 4,
        "newest": newest,
    }
    assert document["description"] == "Lights lanterns."


def test_show_says_what_the_newest_bundle_says_of_itself(tmp_path: Path) -> None:
    bundle = a_blob("olm.bundle", "lamp.v1.0.0", "lamp")
    said = {"displayName": "Lamp", "annotations": {"description": "Gives light"}, "provider": {"name": "Works"}}
    bundle["properties"] += [
        {"type": "olm.csv.metadata", "value": said},
        *({"type": "olm.gvk", "value": {"group": "a.b", "version": v, "kind": "Lamp"}} for v in ("v1", "v2")),
    ]
    path = write_catalog(tmp_path / "cat", a_blob("olm.package", "lamp"), bundle)
    assert olm("catalog", "show", "lamp", "--catalog", path).out.splitlines()[1:5] == [
        "name:              Lamp",
        "summary:           Gives light",
        "provider:          Works",
        "provides:          Lamp",
    ]
    [document] = olm("catalog", "show", "lamp", "--catalog", path, "-o", "json").json
    assert document["provides"][1] == {"group": "a.b", "version": "v2", "kind": "Lamp"}


def test_show_lists_deprecated_channels(tmp_path: Path) -> None:
    gone = [{"reference": {"schema": "olm.channel", "name": "beta"}, "message": "use stable"}]
    blobs = (a_blob("olm.package", "lamp"), a_blob("olm.deprecations", "", "lamp", entries=gone))
    said = olm("catalog", "show", "--catalog", write_catalog(tmp_path / "cat", *blobs))
    assert said.out == "PACKAGE   CATALOG   DEPRECATED\nlamp      cat       channel beta\n"


def test_show_suggests_a_package_when_the_name_is_unknown() -> None:
    error = 'package "latern-operator" is in none of the catalogs [lights-2]; did you mean "lantern-operator"?'
    assert olm("catalog", "show", "latern-operator", "--catalog", LIGHTS) == Said(1, "", f"error: {error}\n")


def test_show_names_file_and_document_of_a_fault(tmp_path: Path) -> None:
    (tmp_path / "cat").mkdir()
    (tmp_path / "cat" / "index.yaml").write_text("schema: olm.package\nname: lamp\n---\n- 1\n")
    error = 'catalog "cat": index.yaml, document 2: expected an object, found list'
    assert olm("catalog", "show", "--catalog", str(tmp_path / "cat")) == Said(2, "", f"error: {error}\n")


def test_show_names_the_blob_of_a_fault(tmp_path: Path) -> None:
    path = write_catalog(tmp_path / "cat", a_blob("olm.channel", "stable", "lamp", entries=7))
    said = olm("catalog", "show", "lamp", "--catalog", path)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith('error: catalog "cat": catalog.json, document 1: olm.channel "stable": ')
