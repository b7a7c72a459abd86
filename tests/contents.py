"""Catalog content for tests of catalogd: blobs as served, and a way to put them into a store."""

from __future__ import annotations

from collections.abc import Sequence

from catalogd.index import IndexBuilder
from catalogd.store import Counts, Origin, Snapshot, Store
from olmv1.fbc.blobs import blobs_of_file

__all__ = ["LEDGER", "a_digest", "a_ref", "lines_of", "store_content"]

LEDGER = b"""
schema: olm.package
name: ledger
defaultChannel: stable
---
schema: olm.channel
package: ledger
name: stable
entries: [{name: ledger.v1.0.0}]
---
schema: olm.bundle
package: ledger
name: ledger.v1.0.0
image: registry.example/ledger@sha256:00
---
schema: custom.note
text: a blob without name and package
"""
"""A catalog file with one package."""


def a_digest(seed: str = "0f") -> str:
    return f"sha256:{(seed * 64)[:64]}"


def a_ref(seed: str = "0f") -> str:
    return f"registry.example/team/catalog@{a_digest(seed)}"


def lines_of(*files: bytes) -> list[bytes]:
    """The lines that catalogd serves for these catalog files, each with its newline."""
    return [blob.json + b"\n" for number, data in enumerate(files) for blob in blobs_of_file(data, f"{number}.yaml")]


def store_content(
    store: Store, name: str = "team", files: Sequence[bytes] = (LEDGER,), *, ref: str = "", now_s: int = 1795253058
) -> Snapshot:
    """Write and publish the content of `files`."""
    builder = IndexBuilder()
    before = store.snapshot(name)
    with store.writer(name) as writer:
        for number, data in enumerate(files):
            for blob in blobs_of_file(data, f"{number}.yaml"):
                builder.add(blob.schema, blob.package, blob.name, len(blob.json) + 1)
                writer.write(blob.json + b"\n")
        index = builder.build()
        origin = Origin(name, ref or a_ref(), "registry.example/team/catalog:v1", now_s)
        counts = Counts(packages=1, bundles=1, blobs=index.blobs)
        manifest = writer.finish(origin, index.to_bytes(), counts, before.manifest if before else None)
        return store.publish(name, writer, manifest)
