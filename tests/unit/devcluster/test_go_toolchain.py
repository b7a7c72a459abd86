"""Reading the version of a Go compiler."""

from __future__ import annotations

import pytest

from devcluster.go_toolchain import version_of


@pytest.mark.parametrize(
    ("text", "version"),
    [
        pytest.param("go version go1.26.8 linux/amd64", (1, 26), id="release"),
        pytest.param("go version go1.27rc1 linux/arm64", (1, 27), id="candidate"),
        pytest.param("go version devel +1234 linux/amd64", (0, 0), id="development build"),
        pytest.param("", (0, 0), id="nothing"),
    ],
)
def test_version_of_reads_major_and_minor(text: str, version: tuple[int, int]) -> None:
    assert version_of(text) == version
