"""Layers on their way through the worker: compression, verification, bombs."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterator

import pytest

from olmv1.images.digests import Digest
from olmv1.images.failures import RegistryError
from olmv1.images.image_manifests import Descriptor
from olmv1.images.layer_stream import LayerStream, VerifiedBlob
from olmv1.images.limits import Budget, LayerError, Limits
from tests.oci_images import packed, sha256

PLAIN = b"archive " * 100_000


def a_blob(data: bytes, chunk: int = 4096, digest: str = "") -> VerifiedBlob:
    return VerifiedBlob(reader(data, chunk), Descriptor("", Digest(digest or sha256(data)), len(data)))


def read_all(stream: LayerStream) -> int:
    return sum(len(piece) for piece in iter(lambda: stream.read(1 << 16), b""))


def reader(data: bytes, chunk: int) -> Callable[[], bytes]:
    pieces: Iterator[bytes] = (data[at : at + chunk] for at in range(0, len(data), chunk))
    return lambda: next(pieces, b"")


@pytest.mark.parametrize("chunk", [1 << 20, 4096, 1])
@pytest.mark.parametrize("compression", ["none", "gzip", "zstd"])
def test_layer_stream_finds_the_compression_by_looking(compression: str, chunk: int) -> None:
    plain = PLAIN[: 20_000 if chunk == 1 else None]
    blob = a_blob(packed(plain, compression), chunk)
    stream = LayerStream(blob, Budget(Limits()))
    assert (stream.read(10), stream.read(len(plain))) == (plain[:10], plain[10:])
    assert stream.read(1) == b""
    blob.verify()


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_layer_stream_reads_several_members(compression: str) -> None:
    data = packed(b"one", compression) + packed(b"two", compression)
    assert LayerStream(a_blob(data), Budget(Limits())).read(99) == b"onetwo"


def test_layer_stream_reads_a_skippable_zstd_frame_first() -> None:
    data = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + packed(b"content", "zstd")
    assert LayerStream(a_blob(data), Budget(Limits())).read(99) == b"content"


@pytest.mark.parametrize(
    ("data", "name"),
    [(bz2.compress(b"x"), "bzip2"), (lzma.compress(b"x"), "xz"), (b"\x04\x22\x4d\x18xxxx", "lz4")],
)
def test_layer_stream_names_a_compression_that_is_not_supported(data: bytes, name: str) -> None:
    with pytest.raises(LayerError, match=f"^compression {name} is not supported$"):
        LayerStream(a_blob(data), Budget(Limits()))


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_layer_stream_refuses_damaged_data(compression: str, damage: str) -> None:
    data = packed(PLAIN, compression)
    data = data[:-20] if damage == "cut" else data[:12] + bytes([data[12] ^ 0xFF]) + data[13:-9] + bytes(9)
    stream = LayerStream(a_blob(data), Budget(Limits()))
    with pytest.raises(LayerError, match="^the compressed data is damaged: "):
        read_all(stream)


def test_layer_stream_refuses_a_zstd_window_of_gigabytes() -> None:
    header = b"\x28\xb5\x2f\xfd\x00\xa8" + b"\x01\x00\x00"  # a frame that asks for 2 GiB of window
    with pytest.raises(LayerError, match="^the compressed data is damaged: "):
        LayerStream(a_blob(header), Budget(Limits())).read(1)


def test_layer_stream_stops_a_bomb_early() -> None:
    bomb = gzip.compress(bytes(8 << 20), 9) * 200
    blob = a_blob(bomb)
    stream = LayerStream(blob, Budget(Limits(ratio=100, ratio_grace_bytes=1 << 20)))
    with pytest.raises(LayerError, match="^the layer unpacks to more than 100 times its size$"):
        read_all(stream)
    assert blob.consumed < len(bomb)


def test_layer_stream_counts_all_layers_together() -> None:
    budget = Budget(Limits(unpacked_bytes=1500))
    assert len(LayerStream(a_blob(bytes(1000)), budget).read(1000)) == 1000
    with pytest.raises(LayerError, match="^the image unpacks to more than 1500 bytes$"):
        LayerStream(a_blob(bytes(1000)), budget).read(1000)


def test_verify_reads_to_the_end_before_it_compares() -> None:
    blob = a_blob(PLAIN)
    assert blob.read(3) == PLAIN[:3]
    blob.verify()
    assert blob.consumed == len(PLAIN)


def test_verify_refuses_other_content() -> None:
    expected = sha256(b"expected")
    blob = a_blob(b"other", digest=expected)
    with pytest.raises(RegistryError) as caught:
        blob.verify()
    assert str(caught.value) == f"blob {expected}: the registry sent other content ({sha256(b'other')})"
