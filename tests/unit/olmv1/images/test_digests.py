"""Digests: spelling and computing."""

from __future__ import annotations

import hashlib

import pytest

from olmv1.images.digests import Digest, digest_of


def test_digest_of_is_the_sha256_of_the_bytes() -> None:
    digest = digest_of(b"content")
    assert digest == f"sha256:{hashlib.sha256(b'content').hexdigest()}"
    assert Digest.parse(digest) == digest
    assert digest.fits(b"content")
    assert not digest.fits(b"other")


@pytest.mark.parametrize("algorithm", ["sha256", "sha384", "sha512"])
def test_digest_knows_its_parts(algorithm: str) -> None:
    expected = hashlib.new(algorithm, b"x").hexdigest()
    digest = Digest.parse(f"{algorithm}:{expected}")
    hasher = digest.hasher()
    hasher.update(b"x")
    assert (digest.algorithm, digest.hex, hasher.hexdigest()) == (algorithm, expected, expected)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sha256", "invalid checksum digest format"),
        ("sha256:", "invalid checksum digest format"),
        ("sha256:xyz", "invalid checksum digest format"),
        (f"sha256:{'A' * 64}", "invalid checksum digest format"),
        ("sha256:abcd", "invalid checksum digest length"),
        ("crc32:abcd", "unsupported digest algorithm"),
    ],
)
def test_digest_refuses_with_the_known_sentence(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        Digest.parse(text)
