"""What a content directory says about itself: `manifest.json`, written last, read first.

A directory without a valid manifest is not content. The manifest binds content to the name of its catalog, so that a
directory that was copied or moved is not served under another name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import orjson

__all__ = ["FORMAT_VERSION", "ContentManifest", "FileSeal"]

FORMAT_VERSION = 1
"""Raised when the files of a content directory change their meaning; other versions are fetched again."""


@dataclass(frozen=True, slots=True)
class FileSeal:
    """Size and CRC-32 of one file, enough to find a cut or rotten one at start."""

    size_bytes: int
    crc32: int


@dataclass(frozen=True, slots=True)
class ContentManifest:
    """One content directory.

    `ref`: canonical reference it was pulled by; `source_ref`: the reference of the spec then; `content_digest`: SHA-256
    of `catalog.jsonl` in hex (the entity tag); times in Unix seconds, `changed_at_s` is kept when a new image holds the
    same content; `packages`, `bundles`, `blobs`: counts.
    """

    catalog: str
    ref: str
    source_ref: str
    content_digest: str
    unpacked_at_s: int
    changed_at_s: int
    packages: int
    bundles: int
    blobs: int
    files: Mapping[str, FileSeal]
    format_version: int = FORMAT_VERSION

    def to_bytes(self) -> bytes:
        """The JSON text of the manifest."""
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def parse(cls, data: bytes) -> ContentManifest:
        """The manifest in `data`.

        Raises:
            ValueError: not a manifest of this format version.
        """
        fields = orjson.loads(data)
        if not isinstance(fields, dict) or fields.get("format_version") != FORMAT_VERSION:
            raise ValueError(f"not a manifest of format version {FORMAT_VERSION}")
        try:
            files = {str(name): FileSeal(**seal) for name, seal in fields.pop("files").items()}
            return cls(**fields, files=files)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"manifest is incomplete: {error}") from error
