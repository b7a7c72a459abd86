from __future__ import annotations

import errno
import gzip
import os
import shutil
import sys
from pathlib import Path

import pytest

from catalogd.store import Snapshot, Store, StoreError
from catalogd.store.layout import held, is_abandoned
from tests.contents import LEDGER, a_ref, lines_of, store_content

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

OTHER = LEDGER.replace(b"1.0.0", b"1.1.0")
FOLDER = "0f" * 32


def content_of(snapshot: Snapshot | None) -> bytes:
    assert snapshot is not None
    return snapshot.data.read(0, snapshot.data.size_bytes)


def names_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder)) if folder.exists() else []


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path)
    made.load()
    return made


def test_store_serves_what_was_published_plain_and_packed(store: Store) -> None:
    snapshot = store_content(store)
    wanted = b"".join(lines_of(LEDGER))
    assert store.snapshot("team") is snapshot
    assert content_of(snapshot) == wanted
    assert gzip.decompress(snapshot.gzip.read(0, snapshot.gzip.size_bytes)) == wanted
    assert zstd.decompress(snapshot.zstd.read(0, snapshot.zstd.size_bytes)) == wanted
    assert (snapshot.index.blobs, snapshot.index.size_bytes) == (4, len(wanted))


def test_store_lays_content_out_by_digest(store: Store, tmp_path: Path) -> None:
    store_content(store)
    assert names_in(tmp_path / "catalogs" / "team") == [FOLDER, "current"]
    assert (tmp_path / "catalogs" / "team" / "current").read_text() == f"{FOLDER}\n"
    files = ["catalog.jsonl", "catalog.jsonl.gz", "catalog.jsonl.zst", "index", "manifest.json"]
    assert names_in(tmp_path / "catalogs" / "team" / FOLDER) == files


def test_store_serves_the_same_after_a_restart(store: Store, tmp_path: Path) -> None:
    before = store_content(store)
    restarted = Store(tmp_path)
    restarted.load()
    after = restarted.snapshot("team")
    assert after is not None
    assert after.manifest == before.manifest
    assert content_of(after) == content_of(before)
    assert restarted.is_loaded


def test_store_lets_readers_finish_with_content_that_was_replaced(store: Store, tmp_path: Path) -> None:
    before = store_content(store)
    after = store_content(store, files=[OTHER], ref=a_ref("ab"))
    assert content_of(before) == b"".join(lines_of(LEDGER))
    assert content_of(store.snapshot("team")) == content_of(after) == b"".join(lines_of(OTHER))
    assert names_in(tmp_path / "catalogs" / "team") == ["ab" * 32, "current"]


def test_store_closes_replaced_content_with_its_last_reader(store: Store) -> None:
    held = store_content(store)
    descriptor = held.data.descriptor
    store_content(store, files=[OTHER], ref=a_ref("ab"))
    assert os.fstat(descriptor).st_nlink == 0
    del held
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_store_keeps_the_time_of_the_last_change_when_a_new_image_holds_the_same(store: Store) -> None:
    store_content(store, now_s=100)
    same = store_content(store, ref=a_ref("ab"), now_s=200).manifest
    other = store_content(store, files=[OTHER], ref=a_ref("cd"), now_s=300).manifest
    assert (same.changed_at_s, same.unpacked_at_s) == (100, 200)
    assert (other.changed_at_s, other.unpacked_at_s) == (300, 300)


@pytest.mark.parametrize("file", ["catalog.jsonl", "catalog.jsonl.gz", "catalog.jsonl.zst", "index"])
def test_store_does_not_serve_content_with_a_changed_file(store: Store, tmp_path: Path, file: str) -> None:
    store_content(store)
    path = tmp_path / "catalogs" / "team" / FOLDER / file
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    restarted = Store(tmp_path)
    restarted.load()
    assert restarted.snapshot("team") is None


def test_store_does_not_serve_content_under_another_name(store: Store, tmp_path: Path) -> None:
    store_content(store)
    shutil.copytree(tmp_path / "catalogs" / "team", tmp_path / "catalogs" / "other")
    restarted = Store(tmp_path)
    restarted.load()
    assert (restarted.snapshot("other"), restarted.snapshot("team") is not None) == (None, True)


@pytest.mark.parametrize("pointer", ["", "../other", "nope\n", "\x00"])
def test_store_does_not_follow_a_bad_pointer(store: Store, tmp_path: Path, pointer: str) -> None:
    store_content(store)
    (tmp_path / "catalogs" / "team" / "current").write_text(pointer)
    restarted = Store(tmp_path)
    restarted.load()
    assert restarted.snapshot("team") is None


def test_store_publishes_over_damaged_content_of_the_same_digest(store: Store, tmp_path: Path) -> None:
    store_content(store)
    (tmp_path / "catalogs" / "team" / FOLDER / "index").unlink()
    restarted = Store(tmp_path)
    restarted.load()
    store_content(restarted)
    assert restarted.is_intact("team")
    assert names_in(tmp_path / "catalogs" / "team") == [FOLDER, "current"]


def test_store_keeps_content_that_another_writer_published_meanwhile(store: Store) -> None:
    first = store_content(store)
    assert store_content(store) is first


@pytest.mark.parametrize("lost", ["current", f"{FOLDER}/catalog.jsonl", f"{FOLDER}/manifest.json"])
def test_store_knows_when_files_vanish_and_serves_on(store: Store, tmp_path: Path, lost: str) -> None:
    store_content(store)
    assert store.is_intact("team")
    (tmp_path / "catalogs" / "team" / lost).unlink()
    assert not store.is_intact("team")
    assert content_of(store.snapshot("team")) == b"".join(lines_of(LEDGER))


def test_store_removes_everything_of_a_catalog(store: Store, tmp_path: Path) -> None:
    store_content(store)
    store.remove("team")
    assert store.snapshot("team") is None
    assert names_in(tmp_path / "catalogs") == []
    store.remove("team")


def test_store_keeps_old_content_when_a_writer_fails(store: Store, tmp_path: Path) -> None:
    before = store_content(store)

    def write_half() -> None:
        with store.writer("team") as writer:
            writer.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert store.snapshot("team") is before
    assert names_in(tmp_path / "catalogs" / "team") == [FOLDER, "current"]


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.ENOSPC, "no space left on the volume"),
        (errno.EACCES, "permission denied"),
        (errno.EROFS, "the volume is read-only"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_store_explains_why_it_cannot_write(tmp_path: Path, number: int, why: str) -> None:
    def fail(step: str) -> None:
        if step == "seal files":
            raise OSError(number, os.strerror(number))

    store = Store(tmp_path, checkpoint=fail)
    with pytest.raises(StoreError) as caught:
        store_content(store)
    assert str(caught.value) == f'cannot store content of catalog "team" in "{tmp_path}/catalogs/team": {why}'
    assert names_in(tmp_path / "catalogs" / "team") == []


def test_store_explains_that_the_cache_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        Store(tmp_path / "file").load()
    assert str(caught.value) == f'cannot prepare the cache in "{tmp_path}/file": Not a directory'


def test_collect_removes_unknown_catalogs_stale_digests_and_abandoned_writings(store: Store, tmp_path: Path) -> None:
    store_content(store)
    store_content(store, "gone")
    team = tmp_path / "catalogs" / "team"
    for folder in ("ab" * 32, ".writing-dead", ".removed-x"):
        (team / folder / "inner").mkdir(parents=True)
    (team / ".removed-x").chmod(0o500)
    (team / ".current.new").write_text("cut")
    store.collect(lambda name: name == "team")
    assert names_in(tmp_path / "catalogs") == ["team"]
    assert names_in(team) == [FOLDER, "current"]
    assert store.snapshot("gone") is None


def test_collect_does_without_a_catalog_that_is_removed_meanwhile(store: Store) -> None:
    store_content(store)

    def is_known(name: str) -> bool:
        store.remove(name)
        return True

    store.collect(is_known)
    assert store.snapshot("team") is None


def test_collect_leaves_what_is_being_written_alone(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path)
    with store.writer("new") as writer:
        for one in (store, other):
            one.collect(lambda name: name == "new")
        store.collect(lambda _name: False)
        assert writer.folder.exists()
    assert names_in(tmp_path / "catalogs" / "new") == []


def test_scratch_has_no_name(store: Store, tmp_path: Path) -> None:
    with store.scratch() as file:
        file.write(b"x")
        assert names_in(tmp_path) == ["catalogs"]


def test_is_abandoned_goes_by_age_on_a_volume_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    os.utime(tmp_path, (1000, 1000))
    with held(tmp_path):
        assert not is_abandoned(tmp_path, 1000 + 3599)
        assert is_abandoned(tmp_path, 1000 + 3601)
    assert not is_abandoned(tmp_path / "gone", 0)
