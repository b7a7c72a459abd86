from __future__ import annotations

import pytest

from catalogd.store.manifest import ContentManifest, FileSeal

MANIFEST = ContentManifest(
    catalog="team",
    ref="registry.example/team/catalog@sha256:0f",
    source_ref="registry.example/team/catalog:v1",
    content_digest="ab",
    unpacked_at_s=12,
    changed_at_s=11,
    packages=1,
    bundles=2,
    blobs=4,
    files={"catalog.jsonl": FileSeal(7, 8)},
)


def test_manifest_reads_what_it_wrote() -> None:
    assert ContentManifest.parse(MANIFEST.to_bytes()) == MANIFEST


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty document"),
        (b"[]", "not a manifest of format version 1"),
        (b"{}", "not a manifest of format version 1"),
        (
            MANIFEST.to_bytes().replace(b'"format_version": 1', b'"format_version": 2'),
            "not a manifest of format version 1",
        ),
        (MANIFEST.to_bytes().replace(b'"catalog"', b'"katalog"'), "manifest is incomplete"),
        (MANIFEST.to_bytes()[:-20], "unexpected end of data"),
    ],
)
def test_manifest_refuses_other_bytes(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ContentManifest.parse(data)
