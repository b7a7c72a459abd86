"""References: what is accepted, and the sentences for what is not (clustercatalog.md 1.3 and 5)."""

from __future__ import annotations

import pytest

from olmv1.errors import TerminalError
from olmv1.images.digests import Digest
from olmv1.images.references import Reference

HEX = "0f" * 32
DIGEST = f"sha256:{HEX}"


@pytest.mark.parametrize(
    ("text", "domain", "repository", "tag", "digest"),
    [
        ("registry.example/team/catalog:v1", "registry.example", "team/catalog", "v1", None),
        ("localhost/cat:v1", "localhost", "cat", "v1", None),
        ("registry.example:5000/cat:latest", "registry.example:5000", "cat", "latest", None),
        ("[::1]:5000/cat:v1", "[::1]:5000", "cat", "v1", None),
        ("docker.io/library/cat:v1", "docker.io", "library/cat", "v1", None),
        ("QUAY.io/a/b__c-d.e:V_1.2-x", "QUAY.io", "a/b__c-d.e", "V_1.2-x", None),
        (f"registry.example/cat@{DIGEST}", "registry.example", "cat", None, DIGEST),
        (f"registry.example/cat@sha512:{HEX * 2}", "registry.example", "cat", None, f"sha512:{HEX * 2}"),
    ],
)
def test_parse_takes_a_canonical_reference_apart(
    text: str, domain: str, repository: str, tag: str | None, digest: str | None
) -> None:
    expected = Reference(domain, repository, tag, Digest(digest) if digest else None)
    assert Reference.parse(text) == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cat:latest", "repository name must be canonical"),
        ("library/cat:latest", "repository name must be canonical"),
        ("docker.io/cat:latest", "repository name must be canonical"),
        ("index.docker.io/library/cat:latest", "repository name must be canonical"),
        ("registry.example/Cat/x:v1", "invalid reference format: repository name must be lowercase"),
        ("Cat:v1", "invalid reference format: repository name must be lowercase"),
        (f"registry.example/cat@sha256:{'0f' * 20}", "invalid checksum digest length"),
        (f"registry.example/cat@sha256:{'0F' * 32}", "invalid checksum digest format"),
        (f"registry.example/cat@md5:{'0f' * 16}", "unsupported digest algorithm"),
        ("registry.example/cat@sha256:abc", "invalid reference format"),
        ("registry.example/cat:", "invalid reference format"),
        ("registry.example/cat:-x", "invalid reference format"),
        (f"registry.example/cat:{'t' * 129}", "invalid reference format"),
        ("registry.example//cat:v1", "invalid reference format"),
        ("https://registry.example/cat:v1", "invalid reference format"),
        ("registry.example/cat:v1\n", "invalid reference format"),
        ("", "invalid reference format"),
        (f"registry.example/{'a' * 240}:v1", "repository name must not be longer than 255 characters"),
    ],
)
def test_parse_refuses_with_the_known_sentence(text: str, why: str) -> None:
    with pytest.raises(TerminalError) as caught:
        Reference.parse(text)
    assert str(caught.value) == f'error parsing image reference "{text}": {why}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            f"registry.example/cat:v1@{DIGEST}",
            "Docker references with both a tag and digest are currently not supported",
        ),
        (
            "registry.example/cat",
            "Docker reference registry.example/cat has neither a tag nor a digest",
        ),
    ],
)
def test_parse_wants_either_a_tag_or_a_digest(text: str, why: str) -> None:
    with pytest.raises(TerminalError) as caught:
        Reference.parse(text)
    assert str(caught.value) == f"error creating reference: {why}"


def test_pinned_drops_the_tag() -> None:
    pinned = Reference.parse("registry.example/team/catalog:v1").pinned(Digest(DIGEST))
    assert str(pinned) == f"registry.example/team/catalog@{DIGEST}"
    assert (pinned.name, pinned.selector) == ("registry.example/team/catalog", DIGEST)
