"""Images against a simple model: layers applied oldest first to a dictionary; archives against the standard library."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterable
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.images.digests import Digest
from olmv1.images.image_manifests import Descriptor
from olmv1.images.layer_files import LayerFiles
from olmv1.images.limits import LayerError, Limits
from olmv1.images.references import Reference
from olmv1.images.tar_stream import EntryKind, TarStream
from tests.oci_images import Entry, a_layer, an_archive, sha256

QUICK = settings(max_examples=60, deadline=None, derandomize=True)
OPAQUE = ".wh..wh..opq"

# Directories and files have names of their own, so that a file never stands where a directory is needed.
directories = st.lists(st.sampled_from(["d", "e"]), max_size=2).map(tuple)
files = st.builds(lambda path, name: "/".join([*path, name]), directories, st.sampled_from(["a", "b"]))
removals = st.builds(
    lambda path, name: "/".join([*path, f".wh.{name}"]), directories, st.sampled_from(["a", "b", "d", "e", ".wh..opq"])
)
layers = st.lists(st.lists(st.one_of(files, removals), max_size=6, unique=True), min_size=1, max_size=4)


@QUICK
@given(layers, st.sampled_from(["", "d", "d/e"]))
def test_layers_give_what_applying_them_in_order_gives(image: list[list[str]], keep: str) -> None:
    assert delivered(image, keep) == applied(image, keep)


@QUICK
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\0/"), min_size=1, max_size=300),
            st.binary(max_size=1500),
        ),
        max_size=5,
    )
)
def test_archives_read_as_the_standard_library_reads_them(contents: list[tuple[str, bytes]]) -> None:
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        data = an_archive([Entry(name, content) for name, content in contents], form=form)
        with tarfile.open(fileobj=io.BytesIO(data), mode="r|") as archive:
            expected = [(info.name, reading(archive, info)) for info in archive]
        assert entries_of(data) == expected


@QUICK
@given(st.binary(max_size=3000), st.integers(0, 2999))
def test_any_damage_ends_in_a_known_error(noise: bytes, at: int) -> None:
    data = bytearray(an_archive([Entry("a" * 150, b"x" * 600, pax={"comment": "y"}), Entry("b", b"z")]))
    data[at : at + len(noise)] = noise
    # Every damage is either not one that a reader can see, or told; nothing else is raised, and it always ends.
    with suppress(LayerError):
        entries_of(bytes(data))


component = st.from_regex(r"[a-z0-9]{1,6}((\.|_|__|-{1,3})[a-z0-9]{1,4})?", fullmatch=True)
domain = st.from_regex(r"[a-z0-9]{1,5}\.[a-z]{2,4}(:[0-9]{1,4})?", fullmatch=True)
tag = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}", fullmatch=True)


@QUICK
@given(domain, st.lists(component, min_size=1, max_size=4), tag)
def test_a_canonical_reference_prints_as_it_was_written(domain: str, path: list[str], tag: str) -> None:
    text = f"{domain}/{'/'.join(path)}:{tag}"
    reference = Reference.parse(text)
    assert (str(reference), reference.domain, reference.tag) == (text, domain, tag)


def delivered(image: list[list[str]], keep: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    reader = LayerFiles(keep, Limits(), found.__setitem__)
    for number in reversed(range(len(image))):
        blob = a_layer([Entry(name, content_of(number, name)) for name in image[number]], "none")
        reader.add_layer(number, Descriptor("", Digest(sha256(blob)), len(blob)), once(blob))
    return found


def applied(image: list[list[str]], keep: str) -> dict[str, bytes]:
    """Removals of a layer act on what is below it, then its files are added."""
    root: dict[str, bytes] = {}
    for number, names in enumerate(image):
        for name in names:
            parent, _, last = name.rpartition("/")
            inside = f"{parent}/" if parent else ""
            if last == OPAQUE:
                root = {path: data for path, data in root.items() if not path.startswith(inside)}
            elif last.startswith(".wh."):
                gone = inside + last.removeprefix(".wh.")
                root = {path: data for path, data in root.items() if path != gone and not path.startswith(f"{gone}/")}
        root |= {name: content_of(number, name) for name in names if not name.rpartition("/")[2].startswith(".wh.")}
    inside = f"{keep}/" if keep else ""
    return {path.removeprefix(inside): data for path, data in root.items() if path.startswith(inside)}


def content_of(layer: int, name: str) -> bytes:
    return f"{layer} {name}".encode()


def once(blob: bytes) -> Callable[[], bytes]:
    pieces = iter([blob])
    return lambda: next(pieces, b"")


def entries_of(data: bytes) -> list[tuple[str, bytes]]:
    return list(_entries(TarStream(io.BytesIO(data).read, 65536)))


def _entries(stream: TarStream) -> Iterable[tuple[str, bytes]]:
    while (entry := stream.next()) is not None:
        assert entry.kind in EntryKind
        yield entry.name, stream.content()


def reading(archive: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(info)
    return file.read() if file else b""
