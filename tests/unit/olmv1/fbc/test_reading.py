from __future__ import annotations

from pathlib import Path

import pytest

from olmv1.fbc import FbcError, load


def test_load_reads_a_directory(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/index.yaml").write_text(
        "schema: olm.package\nname: b\n---\nschema: olm.bundle\npackage: b\nname: b.v1\n"
    )
    (tmp_path / "a.json").write_text('{"schema":"olm.package","name":"a"}')
    (tmp_path / "README.md").write_text("# not: [yaml")
    catalog = load(tmp_path)
    assert [(blob.path, blob.document, blob.name) for blob in catalog.blobs] == [
        ("a.json", 1, "a"),
        ("b/index.yaml", 1, "b"),
        ("b/index.yaml", 2, "b.v1"),
    ]
    assert (catalog.packages, catalog.passed_over) == (("a", "b"), ("README.md",))


def test_load_reads_one_file_of_any_name(tmp_path: Path) -> None:
    (tmp_path / "catalog").write_text("schema: olm.package\nname: a\n")
    catalog = load(str(tmp_path / "catalog"))
    assert (catalog.packages, catalog.blobs[0].path) == (("a",), "catalog")


def test_load_of_an_empty_directory_is_an_empty_catalog(tmp_path: Path) -> None:
    assert (load(tmp_path).blobs, load(tmp_path).packages) == ((), ())


def test_load_names_what_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FbcError) as raised:
        load(tmp_path / "nowhere")
    assert str(raised.value) == f"{tmp_path}/nowhere: no such file or directory"


def test_load_names_file_and_document(tmp_path: Path) -> None:
    (tmp_path / "catalogs").mkdir()
    (tmp_path / "catalogs/foo.yaml").write_text("schema: a\n---\nschema: b\n---\n- c\n")
    with pytest.raises(FbcError, match=r"^catalogs/foo\.yaml, document 3: expected an object, found list$"):
        load(tmp_path)
