"""`registries.conf` version 2: which places are asked for a reference (containers-registries.conf(5))."""

from __future__ import annotations

import pytest

from olmv1.errors import RetryableError
from olmv1.images.references import Reference
from olmv1.images.registries_conf import Endpoint, RegistriesConf, parse_registries

DIGEST = f"sha256:{'0' * 64}"
BY_TAG = "r.example/team/catalog:v1"
BY_DIGEST = f"r.example/team/catalog@{DIGEST}"


def places(text: str, ref: str) -> list[str]:
    return [str(endpoint) for endpoint in parse_registries(text, "f").endpoints_for(Reference.parse(ref))]


def a_registry(body: str, *mirrors: str) -> str:
    return "\n".join([f"[[registry]]\n{body}", *(f"[[registry.mirror]]\n{mirror}" for mirror in mirrors)])


def test_endpoints_for_is_the_registry_itself_without_configuration() -> None:
    assert RegistriesConf().endpoints_for(Reference.parse(BY_TAG)) == (Endpoint("r.example", "team/catalog"),)


@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        ("r.example", "new.example/x/team/catalog"),
        ("r.example/team", "new.example/x/catalog"),
        ("r.example/team/catalog", "new.example/x"),
        ("r.example/team/catalog:v1", "new.example/x"),
        ("*.example", "new.example/x/team/catalog"),
        ("r.example/tea", BY_TAG.removesuffix(":v1")),
        ("r.example:5000", BY_TAG.removesuffix(":v1")),
        ("*.r.example", BY_TAG.removesuffix(":v1")),
        (f"r.example/team/catalog@{DIGEST}", BY_TAG.removesuffix(":v1")),
    ],
)
def test_endpoints_for_replaces_the_prefix_on_whole_parts(prefix: str, found: str) -> None:
    assert places(a_registry(f'prefix = "{prefix}"\nlocation = "new.example/x"'), BY_TAG) == [found]


def test_endpoints_for_takes_the_longest_prefix() -> None:
    tables = [
        a_registry('prefix = "r.example"\nlocation = "short.example"'),
        a_registry('prefix = "r.example/team"\nlocation = "long.example"'),
        a_registry('prefix = "*.example"\nlocation = "wild.example"'),
    ]
    assert places("\n".join(tables), BY_TAG) == ["long.example/catalog"]
    assert places("\n".join(tables), "sub.other.example:5000/a:v1") == ["wild.example/a"]


def test_endpoints_for_keeps_the_name_when_a_wildcard_has_no_location() -> None:
    assert places(a_registry('prefix = "*.example"\ninsecure = true'), BY_TAG) == ["r.example/team/catalog"]


def test_endpoints_for_asks_mirrors_first_in_their_order() -> None:
    text = a_registry(
        'location = "r.example"\ninsecure = true',
        'location = "m1.example/p/"',
        'location = "m2.example"\ninsecure = true',
    )
    assert parse_registries(text, "f").endpoints_for(Reference.parse(BY_TAG)) == (
        Endpoint("m1.example", "p/team/catalog", is_mirror=True),
        Endpoint("m2.example", "team/catalog", is_insecure=True, is_mirror=True),
        Endpoint("r.example", "team/catalog", is_insecure=True),
    )


@pytest.mark.parametrize(
    ("registry", "mirror", "by_tag", "by_digest"),
    [
        ("", "", True, True),
        ("mirror-by-digest-only = true", "", False, True),
        ("", 'pull-from-mirror = "all"', True, True),
        ("", 'pull-from-mirror = "digest-only"', False, True),
        ("", 'pull-from-mirror = "tag-only"', True, False),
    ],
)
def test_endpoints_for_asks_a_mirror_only_for_what_it_serves(
    registry: str, mirror: str, by_tag: bool, by_digest: bool
) -> None:
    text = a_registry(f'location = "r.example"\n{registry}', f'location = "m.example"\n{mirror}')
    mirrored = {ref: places(text, ref)[0].startswith("m.example") for ref in (BY_TAG, BY_DIGEST)}
    assert mirrored == {BY_TAG: by_tag, BY_DIGEST: by_digest}


def test_endpoints_for_refuses_a_blocked_registry() -> None:
    conf = parse_registries(a_registry('location = "r.example"\nblocked = true'), "/etc/containers/registries.conf")
    with pytest.raises(RetryableError) as caught:
        conf.endpoints_for(Reference.parse(BY_TAG))
    assert str(caught.value) == "registry r.example is blocked in /etc/containers/registries.conf"


def test_merged_lets_a_later_file_replace_the_table_of_a_prefix() -> None:
    first = parse_registries(a_registry('location = "r.example"\nblocked = true'), "f")
    later = parse_registries(a_registry('prefix = "r.example"\nlocation = "new.example"'), "g")
    assert [str(e) for e in first.merged(later).endpoints_for(Reference.parse(BY_TAG))] == ["new.example/team/catalog"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '[registries.search]\nregistries = ["a"]',
            "version 1 of the format ([registries.…]) is not supported, use [[registry]] tables",
        ),
        ("[[registry]]\ninsecure = true", "a [[registry]] table has neither prefix nor location"),
        (
            '[[registry]]\nprefix = "*.a.example/b"',
            'prefix "*.a.example/b" is not a registry, a repository or "*." and a domain',
        ),
        ('[[registry]]\nlocation = "https://a"', "'https://a' is not a registry location (host[:port][/path])"),
        ('[[registry]]\nlocation = "a:port"', "'a:port' is not a registry location (host[:port][/path])"),
        ("[[registry]]\nlocation = 1", "1 is not a registry location (host[:port][/path])"),
        ('[[registry]]\nlocation = "a"\nblocked = 1', "blocked must be true or false, found 1"),
        ("registry = 1", '"registry" must be written as [[…]] tables'),
        (a_registry('location = "a"', "insecure = true"), "a [[registry.mirror]] table has no location"),
        (
            a_registry('location = "a"', 'location = "m"\npull-from-mirror = "some"'),
            'mirror "m" has pull-from-mirror "some"; known: all, digest-only, tag-only',
        ),
        (
            a_registry('location = "a"\nmirror-by-digest-only = true', 'location = "m"\npull-from-mirror = "all"'),
            'mirror "m" sets pull-from-mirror beside mirror-by-digest-only',
        ),
    ],
)
def test_parse_registries_names_file_and_finding(text: str, why: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        parse_registries(text, "some.conf")
    assert str(caught.value) == f"some.conf: {why}"


def test_parse_registries_ignores_short_names_and_names_the_line_of_bad_toml() -> None:
    assert parse_registries('unqualified-search-registries = ["a"]\nshort-name-mode = "x"', "f") == RegistriesConf()
    with pytest.raises(ValueError, match=r"^f: .*line 2"):
        parse_registries("a = 1\nb\n", "f")
