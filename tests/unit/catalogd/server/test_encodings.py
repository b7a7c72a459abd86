from __future__ import annotations

import pytest

from catalogd.server.encodings import Encoding, choose_encoding


@pytest.mark.parametrize(
    ("accept", "encoding"),
    [
        (None, Encoding.IDENTITY),
        ("", Encoding.IDENTITY),
        ("gzip", Encoding.GZIP),
        ("x-gzip", Encoding.GZIP),
        ("gzip, deflate, br, zstd", Encoding.ZSTD),
        ("zstd;q=0.5, gzip", Encoding.GZIP),
        ("GZIP;Q=0.3, zstd;q=0.2", Encoding.GZIP),
        ("gzip;q=0", Encoding.IDENTITY),
        ("gzip;q=0.5, identity", Encoding.IDENTITY),
        ("gzip, identity;q=0.5", Encoding.GZIP),
        ("*", Encoding.IDENTITY),
        ("identity", Encoding.IDENTITY),
        ("br", Encoding.IDENTITY),
        ("gzip;q=much", Encoding.IDENTITY),
        ("gzip;level=9", Encoding.GZIP),
    ],
)
def test_choose_encoding_honours_the_client(accept: str | None, encoding: Encoding) -> None:
    assert choose_encoding(accept) is encoding
