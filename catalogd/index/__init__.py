"""Where every blob of a catalog lies in its JSONL file, by schema, package and name.

Pure. Built by `unpack` while the lines are written, stored by `store` as bytes, held in memory by `server` and asked
through `catalogd.query`. It knows nothing of files or requests. Rule: catalogd-http.md 9.3 and 14.7.
"""

from __future__ import annotations

from catalogd.index.builder import IndexBuilder
from catalogd.index.codec import IndexFormatError
from catalogd.index.index import Index

__all__ = ["Index", "IndexBuilder", "IndexFormatError"]
