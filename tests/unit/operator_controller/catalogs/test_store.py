from __future__ import annotations

from pathlib import Path

from operator_controller.catalogs import PackageStore

LINES = (b'{"a":1}', b'{"b":2}')


async def test_store_reads_back_after_a_restart(tmp_path: Path) -> None:
    await PackageStore(tmp_path).store("lights", "r@sha256:1", "lantern", LINES)
    assert await PackageStore(tmp_path).read("lights", "r@sha256:1", "lantern") == LINES


async def test_store_keeps_a_package_that_the_catalog_does_not_have(tmp_path: Path) -> None:
    await PackageStore(tmp_path).store("lights", "r", "lantern", ())
    assert await PackageStore(tmp_path).read("lights", "r", "lantern") == ()


async def test_store_tells_catalogs_refs_and_packages_apart(tmp_path: Path) -> None:
    store = PackageStore(tmp_path)
    await store.store("lights", "r", "lantern", LINES)
    others = [("other", "r", "lantern"), ("lights", "s", "lantern"), ("lights", "r", "../../x")]
    assert [await store.read(*place) for place in others] == [None, None, None]


async def test_store_drops_a_damaged_file(tmp_path: Path) -> None:
    store = PackageStore(tmp_path)
    await store.store("lights", "r", "lantern", LINES)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    assert (await store.read("lights", "r", "lantern"), list(tmp_path.iterdir())) == (None, [])


async def test_store_never_builds_a_path_from_a_name(tmp_path: Path) -> None:
    inside = tmp_path / "packages"
    await PackageStore(inside).store("../../a", "../b", "../../../c", LINES)
    assert [path.parent for path in tmp_path.rglob("*.jsonl")] == [inside]


async def test_store_removes_the_least_recently_used_beyond_its_size(tmp_path: Path) -> None:
    store = PackageStore(tmp_path, max_bytes=3000)
    for number in range(4):
        await store.store("lights", f"r{number}", "lantern", (b"x" * 1000,))
    assert await store.read("lights", "r3", "lantern") is not None
    assert len(list(tmp_path.iterdir())) == 2


async def test_store_does_without_a_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = PackageStore(tmp_path / "file")
    await store.store("lights", "r", "lantern", LINES)
    assert await store.read("lights", "r", "lantern") is None
