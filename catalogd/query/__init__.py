"""A `metas` request → the parts of the catalog file that answer it.

Pure: the query string of a request and an index in, byte ranges out. Called by `server`. Rule: catalogd-http.md 4.
"""

from __future__ import annotations

from catalogd.query.parse import MetasQuery, QueryError, parse
from catalogd.query.select import select

__all__ = ["MetasQuery", "QueryError", "parse", "select"]
