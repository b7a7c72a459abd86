from __future__ import annotations

from pathlib import Path

import yaml

from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog


def test_render_prints_blobs_in_normal_form_and_order(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(
        "# a comment\nschema: olm.bundle\nname: lamp.v1.0.0\npackage: lamp\nimage: a\n---\nschema: note\nflag: y\n"
    )
    (tmp_path / "c.json").write_text('{"schema": "olm.package", "name": "lamp", "icon": {"b": "<&>", "a": 1.50}}')
    (tmp_path / "README.md").write_text("# hello")
    assert olm("catalog", "render", str(tmp_path)) == Said(
        0,
        '{"icon":{"a":1.5,"b":"<&>"},"name":"lamp","schema":"olm.package"}\n'
        '{"image":"a","name":"lamp.v1.0.0","package":"lamp","schema":"olm.bundle"}\n'
        '{"flag":true,"schema":"note"}\n',
    )


def test_render_prints_yaml_documents(tmp_path: Path) -> None:
    path = write_catalog(tmp_path / "cat", a_blob("olm.package", "lamp"), a_blob("olm.channel", "y", "lamp"))
    assert olm("catalog", "render", path, "-o", "yaml").out == (
        '---\nname: lamp\nschema: olm.package\n---\nname: "y"\npackage: lamp\nschema: olm.channel\n'
    )


def test_render_of_two_catalogs_below_one_root_serves_both(tmp_path: Path) -> None:
    lamps = write_catalog(tmp_path / "all" / "z", a_blob("olm.package", "lamp", defaultChannel="stable"))
    wicks = write_catalog(tmp_path / "all" / "a", a_blob("olm.channel", "b", "wick"), a_blob("olm.package", "wick"))
    both = olm("catalog", "render", str(tmp_path / "all")).out
    assert both == olm("catalog", "render", lamps).out + olm("catalog", "render", wicks).out


def test_rendering_of_a_rendering_changes_nothing(tmp_path: Path) -> None:
    once = olm("catalog", "render", LIGHTS).out
    again = tmp_path / "catalog.json"
    again.write_text(once)
    assert olm("catalog", "render", str(again)).out == once
    documents = olm("catalog", "render", LIGHTS, "-o", "yaml").out
    assert len(list(yaml.safe_load_all(documents))) == len(once.splitlines())


def test_render_of_what_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("[1]")
    said = olm("catalog", "render", str(tmp_path))
    assert said == Said(2, "", "error: a.yaml, document 1: expected an object, found list\n")
