"""Whole images through the layer reader: whiteouts, links, hostile layers (clustercatalog.md 5 and 13.18)."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Mapping, Sequence

import pytest

from olmv1.images.digests import Digest
from olmv1.images.failures import RegistryError
from olmv1.images.image_manifests import Descriptor
from olmv1.images.layer_files import LayerFiles
from olmv1.images.limits import LayerError, Limits
from tests.oci_images import Entry, a_layer, files, sha256

Layer = Sequence[Entry] | Mapping[str, bytes]
OPAQUE = ".wh..wh..opq"


def symlink(name: str, target: str) -> Entry:
    return Entry(name, type=tarfile.SYMTYPE, link=target)


def hardlink(name: str, target: str) -> Entry:
    return Entry(name, type=tarfile.LNKTYPE, link=target)


def directory(name: str) -> Entry:
    return Entry(name, type=tarfile.DIRTYPE)


def unpacked(
    *layers: Layer, keep: str = "configs", limits: Limits | None = None
) -> tuple[dict[str, bytes], LayerFiles]:
    """The files of an image of `layers`, oldest first, and what the reader says of it."""
    found: dict[str, bytes] = {}

    def receive(name: str, data: bytes) -> None:
        assert name not in found
        found[name] = data

    reader = LayerFiles(keep, limits or Limits(), receive)
    blobs = [a_layer(layer, "none") for layer in layers]
    for number in reversed(range(len(blobs))):
        reader.add_layer(number, *opened(blobs[number]))
    for number in reader.layers_wanted():
        reader.add_links(number, *opened(blobs[number]))
    reader.end_links()
    return found, reader


def opened(blob: bytes) -> tuple[Descriptor, Callable[[], bytes]]:
    pieces = iter([blob])
    return Descriptor("", Digest(sha256(blob)), len(blob)), lambda: next(pieces, b"")


def files_of(*layers: Layer, keep: str = "configs") -> dict[str, bytes]:
    return unpacked(*layers, keep=keep)[0]


@pytest.mark.parametrize(
    ("layers", "found"),
    [
        pytest.param([{"configs/a": b"1"}, {"configs/a": b"2"}], {"a": b"2"}, id="newer file"),
        pytest.param([{"configs/a": b"1"}, {"configs/.wh.a": b""}], {}, id="removed file"),
        pytest.param([{"configs/d/a": b"1"}, {"configs/.wh.d": b""}], {}, id="removed directory"),
        pytest.param([{"configs/a": b"1"}, {".wh.configs": b""}], {}, id="removed configs directory"),
        pytest.param(
            [{"configs/a": b"1"}, {".wh.configs": b""}, {"configs/b": b"2"}], {"b": b"2"}, id="removed and made anew"
        ),
        pytest.param(
            [{"configs/a": b"1"}, [Entry(".wh.configs"), Entry("configs/b", b"2")]], {"b": b"2"}, id="in one layer"
        ),
        pytest.param([{"configs/a": b"1"}, {f"configs/{OPAQUE}": b"", "configs/b": b"2"}], {"b": b"2"}, id="opaque"),
        pytest.param([{"configs/a": b"1"}, [Entry(OPAQUE)]], {}, id="opaque root"),
        pytest.param(
            [{"configs/d/a": b"1", "configs/e": b"2"}, {f"configs/d/{OPAQUE}": b""}], {"e": b"2"}, id="opaque below"
        ),
        pytest.param([{"configs/d/a": b"1"}, {"configs/d": b"2"}], {"d": b"2"}, id="file for a directory"),
        pytest.param(
            [{"configs/d": b"1"}, [directory("configs/d"), Entry("configs/d/a", b"2")]],
            {"d/a": b"2"},
            id="directory for a file",
        ),
        pytest.param(
            [{"configs/d": b"1"}, [Entry("configs/.wh.d"), Entry("configs/d/a", b"2")]],
            {"d/a": b"2"},
            id="directory for a removed file",
        ),
        pytest.param([{"configs/a": b"1"}, {"configs/.wh..wh.plnk": b""}], {"a": b"1"}, id="other aufs files"),
        pytest.param([{"configs/a": b"1"}, {"other/.wh.a": b""}], {"a": b"1"}, id="elsewhere"),
        pytest.param([{"configs/a": b"1"}, {"configs/.wh.a": b""}, {"configs/a": b"3"}], {"a": b"3"}, id="back again"),
        pytest.param([{"configs/a": b"1", "configsx/b": b"2", "c": b"3"}], {"a": b"1"}, id="only the directory"),
        pytest.param(
            [[directory("./configs/"), directory("./configs/"), Entry("./configs//a", b"1")]], {"a": b"1"}, id="dots"
        ),
        pytest.param([{"configs/a": b""}], {"a": b""}, id="empty file"),
    ],
)
def test_layers_lie_on_top_of_each_other(layers: list[Layer], found: dict[str, bytes]) -> None:
    assert files_of(*layers) == found


@pytest.mark.parametrize(
    ("layers", "found"),
    [
        pytest.param([[Entry("configs/a", b"1"), symlink("configs/b", "a")]], {"a": b"1", "b": b"1"}, id="symbolic"),
        pytest.param(
            [[Entry("configs/a", b"1"), symlink("configs/d/b", "../a")]], {"a": b"1", "d/b": b"1"}, id="relative"
        ),
        pytest.param(
            [[Entry("configs/a", b"1"), symlink("configs/b", "/configs/a")]], {"a": b"1", "b": b"1"}, id="absolute"
        ),
        pytest.param([[symlink("configs/b", "a")], {"configs/a": b"2"}], {"a": b"2", "b": b"2"}, id="newer target"),
        pytest.param(
            [[Entry("configs/a", b"1"), symlink("configs/b", "a"), symlink("configs/c", "b")]],
            {"a": b"1", "b": b"1", "c": b"1"},
            id="chain",
        ),
        pytest.param(
            [[Entry("configs/a", b"1"), hardlink("configs/b", "configs/a")]], {"a": b"1", "b": b"1"}, id="hard"
        ),
        pytest.param(
            [[Entry("configs/a", b"1"), hardlink("configs/b", "/configs/a")], {"configs/a": b"2"}],
            {"a": b"2", "b": b"1"},
            id="hard link keeps the old content",
        ),
        pytest.param(
            [{"configs/a": b"1"}, [hardlink("configs/b", "configs/a")]], {"a": b"1", "b": b"1"}, id="hard, older target"
        ),
        pytest.param(
            [[Entry("configs/a", b"1"), hardlink("configs/b", "configs/a")], {"configs/.wh.a": b""}],
            {"b": b"1"},
            id="hard, target removed",
        ),
        pytest.param([[symlink("configs/b", "gone")], {"configs/b": b"2"}], {"b": b"2"}, id="link replaced"),
        pytest.param(
            [[Entry("configs/a", b"1"), symlink("configs/b", "a"), hardlink("configs/c", "configs/b")]],
            {"a": b"1", "b": b"1", "c": b"1"},
            id="hard link to a link",
        ),
    ],
)
def test_links_stand_for_the_file_they_lead_to(layers: list[Layer], found: dict[str, bytes]) -> None:
    delivered, reader = unpacked(*layers)
    assert (delivered, reader.dangling) == (found, [])


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (symlink("configs/b", "gone"), 'the link leads to "configs/gone", which is no file of the image'),
        (symlink("configs/b", "d"), 'the link leads to "configs/d", which is no file of the image'),
        (symlink("configs/b", "b"), "more than 16 links in a row"),
        (hardlink("configs/b", "configs/gone"), 'the link leads to "configs/gone", which is no file of the image'),
    ],
)
def test_links_to_no_file_are_told(entry: Entry, why: str) -> None:
    delivered, reader = unpacked([Entry("configs/d/a", b"1"), entry])
    assert delivered == {"d/a": b"1"}
    assert [(refusal.entry, str(refusal)) for refusal in reader.dangling] == [("configs/b", why)]


HOSTILE = [
    (Entry("../x"), 'the name has a part ".."'),
    (Entry("configs/../../x"), 'the name has a part ".."'),
    (Entry("/etc/passwd"), "the name is absolute"),
    (symlink("configs/l", "../../etc/passwd"), 'the link to "../../etc/passwd" leads out of the image'),
    (symlink("configs/l", "/etc/passwd"), 'the link to "/etc/passwd" leads out of the directory "/configs"'),
    (hardlink("configs/l", "etc/passwd"), 'the link to "etc/passwd" leads out of the directory "/configs"'),
    (hardlink("configs/l", "../etc/passwd"), 'the name has a part ".."'),
    (Entry("configs/dev", type=tarfile.CHRTYPE), "a character device is refused"),
    (Entry("configs/dev", type=tarfile.BLKTYPE), "a block device is refused"),
    (Entry("configs/pipe", type=tarfile.FIFOTYPE), "a named pipe is refused"),
    (Entry("configs/x", type=b"V"), "a special file of unknown type is refused"),
    (Entry("configs/a\nb"), "the name has control characters"),
    (Entry("configs/" + "d/" * 70 + "a"), "the name has 72 parts, the limit is 64"),
    (Entry("configs/" + "n" * 256), "the name is too long (limit: 4096 bytes)"),
    (Entry("configs/.wh."), "the whiteout names no file"),
    (Entry("configs/.wh..."), "the whiteout names no file"),
    (symlink("configs", "etc"), 'the directory "/configs" was expected, found a symbolic link'),
    (Entry("configs", b"x"), 'the directory "/configs" was expected, found a regular file'),
    (Entry("configs/big", b"x" * 2000), "the file has 2000 bytes, the limit is 1000"),
    (Entry("configs/sparse", type=tarfile.GNUTYPE_SPARSE), "sparse files are refused"),
]


@pytest.mark.parametrize(
    ("entry", "why"), HOSTILE, ids=[f"{entry.type.decode()} {entry.name[:20]!r}" for entry, _ in HOSTILE]
)
def test_hostile_entries_are_refused(entry: Entry, why: str) -> None:
    with pytest.raises(LayerError) as caught:
        unpacked([entry], limits=Limits(file_bytes=1000))
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("layers", "why"),
    [
        pytest.param([files({"configs/a": b"1"}) * 2], "the name is used twice in one layer", id="twice"),
        pytest.param(
            [[Entry("configs/d"), directory("configs/d")]],
            "the name is used twice in one layer",
            id="file and directory",
        ),
        pytest.param(
            [[Entry("configs/d/a"), symlink("configs/d", "e")]],
            "the name is used twice in one layer",
            id="link over files",
        ),
        pytest.param(
            [[symlink("configs/d", "/etc/"), Entry("configs/d/passwd", b"x")]],
            'the link to "/etc/" leads out of the directory "/configs"',
            id="file through a link that leads out",
        ),
        pytest.param(
            [[symlink("configs/d", "e"), Entry("configs/d/a", b"x")]],
            'it lies below "configs/d", which is not a directory',
            id="file through a link",
        ),
        pytest.param(
            [[symlink("configs/d", "e")], {"configs/d/a": b"x"}],
            "a newer layer has entries below it, but it is a symbolic link",
            id="file through a link of an older layer",
        ),
        pytest.param(
            [{"configs/d": b"1"}, {"configs/d/a": b"x"}],
            "a newer layer has entries below it, but it is a regular file",
            id="file below a file of an older layer",
        ),
    ],
)
def test_tricks_with_several_entries_are_refused(layers: list[Layer], why: str) -> None:
    with pytest.raises(LayerError) as caught:
        unpacked(*layers)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(entries=2), "the image has more than 2 entries"),
        (Limits(kept_files=2), "more than 2 files"),
        (Limits(kept_bytes=25), "the files have more than 25 bytes together"),
        (Limits(unpacked_bytes=3000), "the image unpacks to more than 3000 bytes"),
    ],
)
def test_limits_hold_for_the_whole_image(limits: Limits, why: str) -> None:
    layers = [{f"configs/{number}": b"x" * 10} for number in range(3)]
    with pytest.raises(LayerError, match=f"^{why}$"):
        unpacked(*layers, limits=limits)


def test_many_links_to_one_file_are_a_bomb_too() -> None:
    links = [hardlink(f"configs/{number}", "configs/a") for number in range(20)]
    with pytest.raises(LayerError, match="^the files have more than 100 bytes together$"):
        unpacked([Entry("configs/a", b"x" * 10), *links], limits=Limits(kept_bytes=100))


def test_what_is_outside_the_directory_may_be_anything_else() -> None:
    base = [
        Entry("dev/null", type=tarfile.CHRTYPE),
        Entry("run/pipe", type=tarfile.FIFOTYPE),
        symlink("etc/mtab", "../../../proc/mounts"),
        symlink("bin", "usr/bin"),
        Entry("bin/tool", b"x"),
        *files({"etc/twice": b""}) * 2,
        Entry("configs/a", b"1"),
    ]
    assert files_of(base) == {"a": b"1"}


def test_the_whole_image_is_kept_without_a_directory() -> None:
    delivered = files_of([directory("."), Entry("manifests/a", b"1"), Entry("b", b"2")], keep="")
    assert delivered == {"manifests/a": b"1", "b": b"2"}


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.SYMTYPE])
def test_the_root_must_be_a_directory(kind: bytes) -> None:
    with pytest.raises(LayerError, match="^the root of the image is a "):
        unpacked([Entry(".", type=kind, link="x")], keep="")


@pytest.mark.parametrize(
    ("layers", "has_directory"),
    [([{"other": b""}], False), ([[directory("configs")]], True), ([{"configs/a": b""}], True)],
)
def test_has_directory_tells_whether_it_is_in_the_image(layers: list[Layer], has_directory: bool) -> None:
    assert unpacked(*layers)[1].has_directory is has_directory


def test_a_changed_blob_is_told_rather_than_what_it_broke() -> None:
    blob = a_layer([Entry("../hostile")], "none")
    pieces = iter([blob])
    reader = LayerFiles("", Limits(), lambda _name, _data: None)
    descriptor = Descriptor("", Digest(sha256(b"what was pushed")), len(blob))
    with pytest.raises(RegistryError, match="the registry sent other content"):
        reader.add_layer(0, descriptor, lambda: next(pieces, b""))
