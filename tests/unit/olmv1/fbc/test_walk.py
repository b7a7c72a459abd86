from __future__ import annotations

import os
from pathlib import Path

import pytest

from olmv1.fbc import FbcError, catalog_files, survey


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def names_of(root: Path) -> list[str]:
    return [path.relative_to(root.resolve()).as_posix() for path in catalog_files(root)]


def test_catalog_files_come_in_walk_order(tmp_path: Path) -> None:
    write(tmp_path, "b.yaml", "a/z.json", "a-b/x.yml", "a/.git/c.yaml", "B.yaml")
    assert names_of(tmp_path) == ["B.yaml", "a/.git/c.yaml", "a/z.json", "a-b/x.yml", "b.yaml"]


def test_survey_names_what_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "README.md", "a/LICENSE", "a/b.yaml", "ignored.md")
    (tmp_path / ".indexignore").write_text("ignored.md")
    assert survey(tmp_path).passed_over == ("README.md", "a/LICENSE")


def test_catalog_files_leaves_out_what_indexignore_names(tmp_path: Path) -> None:
    write(tmp_path, "x.json", "sub/x.json", "sub/y.json", "z.yaml")
    (tmp_path / ".indexignore").write_text("x.json\n")
    (tmp_path / "sub/.indexignore").write_text("!x.json\ny.json\n")
    assert names_of(tmp_path) == ["sub/x.json", "z.yaml"]


def test_catalog_files_walks_a_directory_called_indexignore(tmp_path: Path) -> None:
    write(tmp_path, ".indexignore/a.yaml")
    assert names_of(tmp_path) == [".indexignore/a.yaml"]


def test_catalog_files_of_an_empty_directory_are_none(tmp_path: Path) -> None:
    assert names_of(tmp_path) == []


def test_catalog_files_walks_deeper_than_python_recurses(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(900):
        folder = folder / "a"
    os.makedirs(folder)
    (folder / "x.yaml").write_text("")
    assert names_of(tmp_path) == ["a/" * 900 + "x.yaml"]


def test_catalog_files_follows_links_inside_the_catalog(tmp_path: Path) -> None:
    write(tmp_path, "a/x.yaml")
    (tmp_path / "b.yaml").symlink_to("a/x.yaml")
    assert names_of(tmp_path) == ["a/x.yaml", "a/x.yaml"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("../outside.yaml", "b.yaml: the link leads out of the catalog"),
        ("/etc/passwd", "b.yaml: the link leads out of the catalog"),
        ("nothing", "b.yaml: the link leads to nothing"),
        ("b.yaml", "b.yaml: the link leads to nothing"),
        ("folder", "b.yaml: the link leads to something that is not a file"),
    ],
)
def test_catalog_files_refuses_links_to_anything_else(tmp_path: Path, target: str, message: str) -> None:
    root = tmp_path / "root"
    write(tmp_path, "outside.yaml", "root/folder/x.yaml")
    (root / "b.yaml").symlink_to(target)
    with pytest.raises(FbcError) as raised:
        names_of(root)
    assert str(raised.value) == message


def test_catalog_files_does_not_follow_an_indexignore_out_of_the_catalog(tmp_path: Path) -> None:
    write(tmp_path, "outside", "root/a.yaml")
    (tmp_path / "root/.indexignore").symlink_to("../outside")
    with pytest.raises(FbcError, match=r"^\.indexignore: the link leads out of the catalog$"):
        names_of(tmp_path / "root")


def test_survey_passes_over_links_that_are_no_catalog_files_and_pipes(tmp_path: Path) -> None:
    (tmp_path / "folder").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert survey(tmp_path).passed_over == ("folder", "pipe.yaml")
