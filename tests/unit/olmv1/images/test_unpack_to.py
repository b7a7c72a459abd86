"""Unpacking into a directory with real names."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from olmv1.errors import TerminalError
from olmv1.images.puller import Puller
from olmv1.images.unpack_to import unpack_to
from tests.oci_images import Entry, a_layer, an_image
from tests.registry import Registry


async def test_unpack_to_writes_every_file(registry: Registry, puller: Puller, tmp_path: Path) -> None:
    entries = [Entry("a/b/c", b"1"), Entry("d", b"2"), Entry("e", type=tarfile.SYMTYPE, link="d")]
    ref = registry.push("bundle", "v1", an_image([a_layer(entries)]))
    target = tmp_path / "some" / "bundle"
    pulled = await unpack_to(puller, ref, target)
    found = {str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*") if path.is_file()}
    assert (pulled.canonical_ref, found) == (ref, {"a/b/c": b"1", "d": b"2", "e": b"2"})
    assert not (target / "e").is_symlink()


async def test_unpack_to_leaves_nothing_of_a_hostile_image(registry: Registry, puller: Puller, tmp_path: Path) -> None:
    ref = registry.push("bundle", "v1", an_image([a_layer({"a": b"1", "/etc/x": b"2"})]))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(TerminalError, match='entry "/etc/x": the name is absolute$'):
        await unpack_to(puller, ref, tmp_path / "bundle")
    assert sorted(tmp_path.iterdir()) == before


async def test_unpack_to_refuses_a_directory_with_content(puller: Puller, tmp_path: Path) -> None:
    with pytest.raises(TerminalError) as caught:
        await unpack_to(puller, "registry.example/a:v1", tmp_path)
    assert str(caught.value) == f"{tmp_path} exists and is not an empty directory"


async def test_unpack_to_names_links_that_were_left_out(registry: Registry, puller: Puller, tmp_path: Path) -> None:
    entries = [Entry("d", b"2"), Entry("e", type=tarfile.SYMTYPE, link="gone")]
    ref = registry.push("bundle", "v1", an_image([a_layer(entries)]))
    pulled = await unpack_to(puller, ref, tmp_path / "bundle")
    assert pulled.warnings[0] == (
        '1 links were left out, the first: entry "e": the link leads to "gone", which is no file of the image'
    )
