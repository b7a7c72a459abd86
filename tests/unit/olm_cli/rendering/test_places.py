from __future__ import annotations

import os
from pathlib import Path

import pytest

from olm_cli.problems import BadInput
from olm_cli.rendering import places
from olm_cli.rendering.places import Found, files_of_directory, found_at


def a_folder(root: Path, **files: bytes) -> Path:
    for folder in ("manifests", "metadata", "tests"):
        (root / folder).mkdir(parents=True)
    for name, data in files.items():
        root.joinpath(*name.split("__")).write_bytes(data)
    return root


def refusal(root: Path) -> str:
    with pytest.raises(BadInput) as caught:
        files_of_directory(root)
    return str(caught.value)


def test_directory_gives_the_files_that_count(tmp_path: Path) -> None:
    root = a_folder(
        tmp_path / "b", manifests__csv=b"1", metadata__annotations=b"2", tests__scorecard=b"3", Dockerfile=b""
    )
    (root / "manifests" / "sub").mkdir()
    assert files_of_directory(root) == {
        "manifests/": b"",
        "manifests/csv": b"1",
        "manifests/sub/": b"",
        "metadata/": b"",
        "metadata/annotations": b"2",
    }


def test_link_inside_the_bundle_is_followed(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "b", metadata__real=b"x")
    (root / "manifests" / "link").symlink_to("../metadata/real")
    assert files_of_directory(root)["manifests/link"] == b"x"


def test_link_out_of_the_bundle_is_refused(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "b")
    (tmp_path / "secret").write_text("x")
    (root / "manifests" / "link").symlink_to("../../secret")
    found = f"{root}/manifests/link: the link leads out of the directory, to {tmp_path}/secret"
    assert refusal(root) == found


def test_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "b")
    os.mkfifo(root / "manifests" / "pipe")
    assert refusal(root) == f"{root}/manifests/pipe: expected a regular file"


def test_link_to_nothing_is_refused(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "b")
    (root / "manifests" / "link").symlink_to("nowhere")
    assert refusal(root) == f"{root}/manifests/nowhere: No such file or directory"


@pytest.mark.parametrize(
    ("limit", "error"),
    [
        pytest.param("_MAX_FILES", "{root}: more than 3 files", id="files"),
        pytest.param(
            "_MAX_BYTES", "{root}/manifests/b: too large, the limits are 33554432 bytes for a file and 3 for a bundle",
            id="bytes together",
        ),
        pytest.param(
            "_MAX_FILE_BYTES",
            "{root}/manifests/b: too large, the limits are 3 bytes for a file and 134217728 for a bundle",
            id="bytes of a file",
        ),
    ],
)  # fmt: skip
def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, error: str) -> None:
    root = a_folder(tmp_path / "b", manifests__a=b"", manifests__b=b"1234", manifests__c=b"")
    monkeypatch.setattr(places, limit, 3)
    assert refusal(root) == error.format(root=root)


def test_nothing_and_files_are_no_directories(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    expected = "expected a directory with manifests/ and metadata/, or an image; found"
    assert refusal(tmp_path / "none") == f"{tmp_path}/none: {expected} nothing"
    assert refusal(tmp_path / "file") == f"{tmp_path}/file: {expected} a file"


async def test_directory_of_a_chart_gives_every_file(tmp_path: Path) -> None:
    (tmp_path / "c" / "charts" / "sub").mkdir(parents=True)
    for name in ("Chart.yaml", "charts/sub/Chart.yaml"):
        (tmp_path / "c" / name).write_text(name)
    files = {"chart/Chart.yaml": b"Chart.yaml", "chart/charts/sub/Chart.yaml": b"charts/sub/Chart.yaml"}
    assert await found_at(str(tmp_path / "c")) == Found(files, is_chart=True)
    (tmp_path / "c" / "manifests").mkdir()
    assert await found_at(str(tmp_path / "c")) == Found({"manifests/": b""})


async def test_link_out_of_a_chart_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "Chart.yaml").write_text("")
    (tmp_path / "c" / "values.yaml").symlink_to("/etc/hostname")
    with pytest.raises(BadInput, match=r"values\.yaml: the link leads out of the directory, to /etc/hostname"):
        await found_at(str(tmp_path / "c"))


async def test_directory_of_versions_suggests_them(tmp_path: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        (tmp_path / version / "manifests").mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    with pytest.raises(BadInput) as problem:
        await found_at(str(tmp_path))
    expected = "expected a directory with manifests/ and metadata/ or a Chart.yaml, found none"
    meant = f'did you mean "{tmp_path}/1.0.0" or "{tmp_path}/1.1.0"?'
    assert str(problem.value) == f"{tmp_path}: {expected}; {meant}"


async def test_place_that_is_neither_directory_nor_image_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        await found_at("./no such thing")
    example = "quay.io/example/my-operator-bundle:v1.0.0"
    assert str(caught.value) == (
        f"./no such thing: there is no such directory, and it is no full image reference such as {example}"
    )
