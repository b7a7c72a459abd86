from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
import yaml

from tests.oci_images import a_catalog_image
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog
from tests.registry import running_registry
from tests.registry_tls import Authority

SAMPLES = Path(LIGHTS).parent
CHANNEL = a_blob("olm.channel", "stable", "lamp", entries=[{"name": "lamp.v1.0.0"}, {"name": "lamp.v1.1.0"}])


@pytest.fixture
def lamp(tmp_path: Path) -> str:
    """A catalog with an error, and a warning that becomes one when strict."""
    bundle = a_blob("olm.bundle", "lamp.v1.1.0", "lamp")
    bundle["properties"].append({"type": "color", "value": None})
    return write_catalog(
        tmp_path / "cat",
        a_blob("olm.package", "lamp", defaultChannel="stable"),
        CHANNEL,
        a_blob("olm.bundle", "lamp.v1.0.0", "lamp"),
        bundle,
    )


HEADS = "multiple channel heads found in graph: lamp.v1.0.0, lamp.v1.1.0"
NULL = 'property[1] of type "color" has the value null'


def test_validate_of_a_good_catalog_has_nothing_to_say(tmp_path: Path) -> None:
    path = write_catalog(
        tmp_path / "cat",
        a_blob("olm.package", "lamp", defaultChannel="stable"),
        a_blob("olm.channel", "stable", "lamp", entries=[{"name": "lamp.v1.0.0"}]),
        a_blob("olm.bundle", "lamp.v1.0.0", "lamp"),
    )
    assert olm("catalog", "validate", path) == Said(0, "nothing to complain about in 1 package, 1 channel, 1 bundle\n")


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir()))
def test_validate_has_nothing_to_say_of_our_samples(sample: str) -> None:
    said = olm("catalog", "validate", str(SAMPLES / sample), "--strict")
    assert said.out.startswith("nothing to complain about in ")


def test_validate_prints_every_finding(lamp: str) -> None:
    assert olm("catalog", "validate", lamp) == Said(
        1,
        f'error: catalog.json, document 2, line 6 (olm.channel "stable" of package "lamp"): {HEADS} [channel-head]\n'
        'warning: catalog.json, document 4, line 34 (olm.bundle "lamp.v1.1.0" of package "lamp"): '
        f"{NULL} [null-property]\n"
        "\n"
        "1 error, 1 warning in 1 package, 1 channel, 2 bundles\n",
    )


def test_validate_prints_every_finding_as_json(lamp: str) -> None:
    said = olm("catalog", "validate", lamp, "-o", "json")
    tree = f'invalid index:\n└── invalid package "lamp":\n    └── invalid channel "stable":\n        └── {HEADS}'
    assert said.code == 1
    assert {name: value for name, value in said.json.items() if name != "findings"} == {
        "catalog": lamp,
        "passed": False,
        "error": {"message": tree},
        "packages": 1,
        "channels": 1,
        "bundles": 2,
        "errors": 1,
        "warnings": 1,
    }
    assert said.json["findings"][1] == {
        "severity": "warning",
        "code": "null-property",
        "message": NULL,
        "path": "catalog.json",
        "document": 4,
        "line": 34,
        "schema": "olm.bundle",
        "package": "lamp",
        "name": "lamp.v1.1.0",
    }


def test_validate_answers_in_yaml_too(lamp: str) -> None:
    said = olm("catalog", "validate", lamp, "-o", "yaml")
    assert [each["code"] for each in yaml.safe_load(said.out)["findings"]] == ["channel-head", "null-property"]


def test_validate_is_stricter_when_asked(lamp: str) -> None:
    said = olm("catalog", "validate", lamp, "--strict", "-o", "json")
    assert [(each["severity"], each["code"]) for each in said.json["findings"]] == [
        ("error", "channel-head"),
        ("error", "null-property"),
    ]


def test_validate_prints_the_errors_as_a_tree(lamp: str) -> None:
    assert olm("catalog", "validate", lamp, "--tree") == Said(
        1,
        f'invalid index:\n└── invalid package "lamp":\n    └── invalid channel "stable":\n        └── {HEADS}\n',
    )


def test_validate_passes_with_warnings(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("schema: custom\nflag: y\n")
    assert olm("catalog", "validate", str(tmp_path)) == Said(
        0,
        'warning: a.yaml, document 1, line 2 (custom): y without quotes at flag is read as true: write "y" if it is '
        "text [unquoted-boolean]\n\n0 errors, 1 warning in 0 packages, 0 channels, 0 bundles\n",
    )


def test_validate_reads_one_file_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "cat").write_text(json.dumps(a_blob("olm.package", "lamp", defaultChannel="stable")))
    said = olm("catalog", "validate", str(tmp_path / "cat"), "-o", "json")
    assert [each["path"] for each in said.json["findings"]] == ["cat"]


def test_validate_goes_on_behind_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to("/dev/null")
    (tmp_path / "b.yaml").write_text("[")
    (tmp_path / "c.yaml").write_text("- 1")
    (tmp_path / "notes.txt").write_text("hello")
    said = olm("catalog", "validate", str(tmp_path), "-o", "json")
    assert [(each["code"], each["path"]) for each in said.json["findings"]] == [
        ("passed-over", "notes.txt"),
        ("unreadable", "a.yaml"),
        ("unreadable", "b.yaml"),
        ("not-an-object", "c.yaml"),
    ]


def test_validate_shows_no_control_characters(tmp_path: Path) -> None:
    path = write_catalog(tmp_path / "cat", a_blob("olm.channel", "a\x1b[31m", "b", entries=[]))
    for flags in ([], ["--tree"]):
        assert "\x1b" not in olm("catalog", "validate", path, *flags).out


def test_validate_of_nothing_is_bad_input() -> None:
    said = olm("catalog", "validate", "nowhere/at/all")
    assert said == Said(
        2,
        "",
        "error: nowhere/at/all: there is no such file or directory, and it is no full image reference such as "
        "quay.io/operatorhubio/catalog:latest\n",
    )


def test_validate_of_a_folder_without_catalog_files_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("the catalog is elsewhere")
    (tmp_path / "empty.yaml").touch()
    problem = "there is nothing to validate: no *.yaml, *.yml or *.json with content"
    for place in (tmp_path, tmp_path / "empty.yaml"):
        assert olm("catalog", "validate", str(place)) == Said(2, "", f"error: {place}: {problem}\n")


def test_validate_reads_what_another_program_writes() -> None:
    """As in `olm catalog validate <(make-catalog)`."""
    reading, writing = os.pipe()
    os.write(writing, json.dumps(a_blob("olm.package", "lamp", defaultChannel="stable")).encode())
    os.close(writing)
    said = olm("catalog", "validate", f"/dev/fd/{reading}", "-o", "json")
    os.close(reading)
    assert (said.code, said.json["packages"]) == (1, 1)


def test_validate_cannot_tell_of_images_that_nobody_can_be_asked_for(tmp_path: Path) -> None:
    path = write_catalog(
        tmp_path / "cat",
        a_blob("olm.package", "lamp", defaultChannel="stable"),
        a_blob("olm.channel", "stable", "lamp", entries=[{"name": "lamp.v1.0.0"}]),
        a_blob("olm.bundle", "lamp.v1.0.0", "lamp", image="lamp"),
    )
    said = olm("catalog", "validate", path, "--check-images", "-o", "json")
    assert [(each["severity"], each["code"]) for each in said.json["findings"]] == [("warning", "image-unchecked")]
    assert (said.code, said.json["passed"]) == (3, True)


async def test_validate_reads_an_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority.create(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    async with running_registry(authority.server_context()) as registry:
        ref = registry.push("team/catalog", "v1", a_catalog_image({"a/b.yaml": b"schema: custom\npackage: ''\n"}))
        flags = ["--pull-cas-dir", str(authority.folder), "-o", "json"]
        said = await asyncio.to_thread(olm, "catalog", "validate", ref, *flags)
    assert said.code == 0, said
    assert [(each["code"], each["path"]) for each in said.json["findings"]] == [("empty-package", "a/b.yaml")]


def test_validate_survives_file_names_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.yaml")).write_text("[]")
    said = olm("catalog", "validate", str(tmp_path), "-o", "json")
    assert [each["path"] for each in said.json["findings"]] == ["\\udcff.yaml"]
