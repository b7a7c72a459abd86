from __future__ import annotations

import msgspec
import pytest

from olmv1.fbc import (
    Bundle,
    Channel,
    Deprecation,
    Entry,
    FbcError,
    Package,
    Property,
    RelatedImage,
    package_of,
)

LINES = [
    b'{"defaultChannel":"stable","description":"d","icon":{"base64data":""},"name":"foo","schema":"olm.package"}',
    b'{"entries":[{"name":"foo.v1"},{"name":"foo.v2","replaces":"foo.v1","skipRange":"<2.0.0","skips":["x"]}],'
    b'"name":"stable","package":"foo","schema":"olm.channel"}',
    b'{"image":"quay.io/foo@sha256:1","name":"foo.v1","package":"foo","properties":[{"type":"a","value":{"b":1}}],'
    b'"relatedImages":[{"image":"i","name":""}],"schema":"olm.bundle"}',
    b'{"entries":[{"message":"old","reference":{"schema":"olm.package"}},{"message":"bad","reference":'
    b'{"name":"foo.v1","schema":"olm.bundle"}}],"package":"foo","schema":"olm.deprecations"}',
    b'{"package":"foo","schema":"z.custom"}',
    b'{"package":"foo","schema":"a.custom"}',
    b'{"package":"foo","schema":"a.custom"}',
]


def refusal(line: bytes) -> str:
    with pytest.raises(FbcError) as raised:
        package_of("foo", [line])
    return str(raised.value)


def test_package_of_reads_all_parts() -> None:
    entries = (Entry("foo.v1"), Entry("foo.v2", replaces="foo.v1", skips=("x",), skip_range="<2.0.0"))
    bundle = Bundle(
        "foo.v1", "foo", "quay.io/foo@sha256:1", (Property("a", msgspec.Raw(b'{"b":1}')),), (RelatedImage("", "i"),)
    )
    assert package_of("foo", LINES) == Package(
        name="foo",
        default_channel="stable",
        channels=(Channel("stable", "foo", entries),),
        bundles=(bundle,),
        deprecations=(Deprecation("olm.package", "", "old"), Deprecation("olm.bundle", "foo.v1", "bad")),
        other_schemas=("a.custom", "z.custom"),
        description="d",
    )


def test_package_of_passes_over_other_packages() -> None:
    others = [b'{"name":"bar","schema":"olm.package"}', b'{"name":"foo","package":"bar","schema":"olm.channel"}']
    assert package_of("foo", [*others, b"", b"\n"]) is None
    assert package_of("foo", [*others, *LINES]) == package_of("foo", LINES)


@pytest.mark.parametrize("line", LINES)
def test_package_of_needs_one_blob_only(line: bytes) -> None:
    package = package_of("foo", [line])
    assert package is not None
    assert package.name == "foo"


def test_package_of_takes_the_first_package_blob() -> None:
    package = package_of("foo", [LINES[0], LINES[0].replace(b"stable", b"other")])
    assert package is not None
    assert package.default_channel == "stable"


def test_package_of_reads_names_in_any_letter_case() -> None:
    package = package_of(
        "foo",
        [
            b'{"Schema":"olm.package","NAME":"foo","DefaultChannel":"stable"}',
            b'{"schema":"olm.channel","package":"foo","name":"s","Entries":[{"Name":"a","skiprange":"<1","SKIPS":[null]}]}',
        ],
    )
    assert package is not None
    assert package.default_channel == "stable"
    assert package.channels == (Channel("s", "foo", (Entry("a", skips=("",), skip_range="<1"),)),)


def test_package_of_takes_null_for_absent() -> None:
    lines = [
        b'{"image":null,"name":"b","package":"foo","properties":null,"schema":"olm.bundle"}',
        b'{"entries":[null],"name":null,"package":"foo","schema":"olm.channel"}',
    ]
    assert package_of("foo", lines) == Package(
        "foo", bundles=(Bundle("b", "foo"),), channels=(Channel("", "foo", (Entry(),)),)
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"description":5,"name":"foo","schema":"olm.package"}', "description: string, number"),
        (b'{"entries":{},"name":"s","package":"foo","schema":"olm.channel"}', "entries: list, object"),
        (
            b'{"entries":[{},{"skips":"a"}],"name":"s","package":"foo","schema":"olm.channel"}',
            "entries[1].skips: list, string",
        ),
        (
            b'{"name":"s","package":"foo","properties":[{"type":true}],"schema":"olm.bundle"}',
            "properties[0].type: string, boolean",
        ),
        (
            b'{"name":"s","package":"foo","relatedImages":[1.5],"schema":"olm.bundle"}',
            "relatedImages[0]: object, number",
        ),
        (
            b'{"entries":[{"reference":"x"}],"name":"s","package":"foo","schema":"olm.deprecations"}',
            "entries[0].reference: object, string",
        ),
    ],
)
def test_package_of_names_blob_and_field(line: bytes, message: str) -> None:
    schema = msgspec.json.decode(line)["schema"]
    name = msgspec.json.decode(line)["name"]
    place, _, types = message.partition(": ")
    expected, _, found = types.partition(", ")
    kind = schema.removeprefix("olm.")
    assert refusal(line) == f'{schema} "{name}": parse {kind}: expected {expected}, found {found} at {place}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"name":"x","package":"foo"}', 'blob "x": missing root schema field'),
        (b'{"package":"foo"}', "blob: missing root schema field"),
        (b'{"schema":1}', "parse blob: expected string, found number at schema"),
        (b"[]", "parse blob: expected object, found list"),
        (b'{"schema":"a"', "parse blob: Input data was truncated"),
        (b'{"schema":"a","x":' + b"[" * 5000, "parse blob: too deeply nested"),
        (
            b'{"entries":[1],"package":"foo","schema":"olm.channel"}',
            "olm.channel: parse channel: expected object, found number at entries[0]",
        ),
    ],
)
def test_package_of_says_what_is_no_blob(line: bytes, message: str) -> None:
    assert refusal(line) == message
