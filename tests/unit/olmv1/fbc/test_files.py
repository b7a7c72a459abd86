from __future__ import annotations

import pytest

from olmv1.fbc import is_catalog_file, walk_order


@pytest.mark.parametrize("path", ["a.yaml", "b/a.yml", "a.json", ".hidden.yaml", "a.YAML", ".yaml"])
def test_is_catalog_file_goes_by_the_ending(path: str) -> None:
    assert is_catalog_file(path)


@pytest.mark.parametrize("path", ["README", "README.md", "a.yaml.bak", "icon.svg", "json", ".indexignore"])
def test_is_catalog_file_passes_over_the_rest(path: str) -> None:
    assert not is_catalog_file(path)


def test_walk_order_is_depth_first_in_the_order_of_bytes() -> None:
    wanted = ["B.yaml", "a/z.yaml", "a-b/x.yaml", "a.yaml", "é.yaml", "\udcff.yaml"]
    assert sorted(sorted(wanted), key=walk_order) == wanted
