from __future__ import annotations

from pathlib import Path

import pytest

from olm_cli.catalogs.sources import ImageSource, PathSource, Source, sources_of
from olm_cli.problems import BadInput

DIGEST = "sha256:" + "0" * 64


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lights").mkdir()
    (tmp_path / "lamps.yaml").touch()
    (tmp_path / "a=b").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("lights", PathSource("lights", Path("lights")), id="directory"),
        pytest.param("./lights/", PathSource("lights", Path("lights")), id="slash at the end"),
        pytest.param("lamps.yaml", PathSource("lamps", Path("lamps.yaml")), id="file"),
        pytest.param("mine=lights", PathSource("mine", Path("lights")), id="named"),
        pytest.param("a=b", PathSource("a=b", Path("a=b")), id="a path with ="),
        pytest.param("quay.io/x/cat:v1", ImageSource("cat", "quay.io/x/cat:v1"), id="image"),
        pytest.param(f"m=h:5000/cat@{DIGEST}", ImageSource("m", f"h:5000/cat@{DIGEST}"), id="named image by digest"),
        pytest.param("docker://quay.io/x/cat:v1", ImageSource("cat", "quay.io/x/cat:v1"), id="transport"),
    ],
)
def test_source_is_what_the_text_means(text: str, source: Source) -> None:
    assert sources_of([text]) == (source,)


def test_source_in_the_home_directory_is_found(folder: Path) -> None:
    assert sources_of(["m=~/lights"]) == (PathSource("m", folder / "lights"),)


def test_directory_is_called_by_its_name_wherever_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "lights")
    assert sources_of(["."]) == (PathSource("lights", Path()),)


@pytest.mark.parametrize("text", ["missing", "./missing", "quay.io/x/cat", "cat:v1", "Up=lights", "x=missing", ""])
def test_source_that_is_nothing_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        sources_of([text])
    assert str(caught.value) == (
        f"--catalog {text}: there is no such file or directory, and it is no full image reference such as "
        "quay.io/operatorhubio/catalog:latest"
    )


def test_sources_need_names_of_their_own() -> None:
    with pytest.raises(
        BadInput, match='^two catalogs are called "lights": name one of them with --catalog NAME=./lights$'
    ):
        sources_of(["lights", "./lights"])
