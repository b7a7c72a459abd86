"""Manifests, indexes and configurations as values."""

from __future__ import annotations

import re

import orjson
import pytest

from olmv1.images.digests import Digest
from olmv1.images.image_manifests import (
    HELM_CONFIG,
    Descriptor,
    ImageIndex,
    ImageManifest,
    labels_of,
    parse_manifest,
    select,
)
from olmv1.images.platforms import Platform
from tests.oci_images import DOCKER, OCI, MediaTypes, a_layer, an_image, an_index, sha256

LAYER = a_layer({"a": b"1"})
ENTRY = {"digest": f"sha256:{'0' * 64}", "size": 1}


@pytest.mark.parametrize("types", [OCI, DOCKER], ids=["oci", "docker"])
def test_parse_manifest_reads_both_families(types: MediaTypes) -> None:
    image = an_image([LAYER], types=types)
    manifest = parse_manifest(image.manifest)
    assert isinstance(manifest, ImageManifest)
    assert manifest.layers == (Descriptor(types.layer, Digest(sha256(LAYER)), len(LAYER)),)
    index = parse_manifest(an_index({"linux/arm64/v8": image}, types=types).manifest)
    platform = Platform("linux", "arm64", "v8")
    digest = Digest(image.digest)
    assert index == ImageIndex((Descriptor(types.manifest, digest, len(image.manifest), platform),))


@pytest.mark.parametrize("content_type", ["", OCI.manifest, f"{DOCKER.manifest}; charset=utf-8"])
def test_parse_manifest_takes_the_type_from_the_answer_or_the_shape(content_type: str) -> None:
    document = orjson.loads(an_image([LAYER]).manifest)
    del document["mediaType"]
    assert isinstance(parse_manifest(orjson.dumps(document), content_type), ImageManifest)
    assert parse_manifest(b'{"manifests": []}') == ImageIndex(())


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (b"[]", "a JSON object was expected, found list"),
        (b'{"schemaVersion": 1}', "unsupported manifest type 'without mediaType'"),
        (
            b'{"mediaType": "application/vnd.docker.distribution.manifest.v1+prettyjws"}',
            "unsupported manifest type 'application/vnd.docker.distribution.manifest.v1+prettyjws'",
        ),
        (b'{"layers": [], "manifests": []}', "the manifest is an image and an index at once"),
        (orjson.dumps({"mediaType": OCI.index}), 'the manifest has no list "manifests"'),
        (b'{"manifests": [1]}', '"manifests" holds no descriptor'),
        (b'{"layers": [], "config": {"size": -1}}', '"config" holds a descriptor with size -1'),
        (
            b'{"layers": [], "config": {"size": 1, "digest": "sha256:1"}}',
            "\"config\" holds a descriptor with digest 'sha256:1': invalid checksum digest length",
        ),
        (
            orjson.dumps({"layers": [{**ENTRY, "mediaType": "image/png"}], "config": ENTRY}),
            "unsupported layer type 'image/png'",
        ),
    ],
)
def test_parse_manifest_says_what_is_wrong(document: bytes, why: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (the whole text is compared)
        parse_manifest(document)
    assert str(caught.value) == why


def test_parse_manifest_says_that_it_is_not_json() -> None:
    with pytest.raises(ValueError, match=r"^not JSON: "):
        parse_manifest(b"{")


def test_parse_manifest_leaves_out_the_provenance_of_a_chart() -> None:
    chart = {**ENTRY, "mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip"}
    provenance = {**ENTRY, "mediaType": "application/vnd.cncf.helm.chart.provenance.v1.prov"}
    document = {"config": {**ENTRY, "mediaType": HELM_CONFIG}, "layers": [chart, provenance]}
    manifest = parse_manifest(orjson.dumps(document))
    assert isinstance(manifest, ImageManifest)
    assert [layer.media_type for layer in manifest.layers] == [chart["mediaType"]]


@pytest.mark.parametrize("count", [0, 2])
def test_parse_manifest_wants_one_layer_with_the_chart(count: int) -> None:
    chart = {**ENTRY, "mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip"}
    document = {"config": {**ENTRY, "mediaType": HELM_CONFIG}, "layers": [chart] * count}
    why = f"a Helm chart with one layer '{chart['mediaType']}' was expected, found {count}"
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        parse_manifest(orjson.dumps(document))


@pytest.mark.parametrize(
    ("offered", "wanted", "chosen"),
    [
        (["linux/amd64", "linux/arm64/v8"], "linux/arm64/v8", 1),
        (["linux/arm64"], "linux/arm64/v8", 0),
        (["linux/arm64/v8"], "linux/arm64", 0),
        (["linux/arm/v6", "linux/arm/v7"], "linux/arm/v7", 1),
        (["windows/amd64", "linux/amd64"], "linux/amd64", 1),
        (["unknown/unknown", ""], "linux/amd64", 1),
        (["", "linux/amd64"], "linux/amd64", 1),
    ],
)
def test_select_finds_the_entry_for_the_platform(offered: list[str], wanted: str, chosen: int) -> None:
    index = ImageIndex(tuple(_entry(number, platform) for number, platform in enumerate(offered)))
    assert select(index, Platform(*wanted.split("/"))) == index.entries[chosen]


def test_select_names_what_is_offered_when_nothing_fits() -> None:
    index = ImageIndex((_entry(0, "linux/s390x"), _entry(1, "linux/arm64/v8")))
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        select(index, Platform("linux", "amd64"))
    expected = "no image for platform linux/amd64 in the image index (it has: linux/arm64/v8, linux/s390x)"
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("config", "labels"),
    [(b'{"config": {"Labels": {"a": "b"}}}', {"a": "b"}), (b'{"config": {"Labels": null}}', {}), (b"{}", {})],
)
def test_labels_of_reads_the_configuration(config: bytes, labels: dict[str, str]) -> None:
    assert labels_of(config) == labels


def test_labels_of_refuses_labels_that_are_not_text() -> None:
    with pytest.raises(ValueError, match="^the labels of the image configuration are not text$"):
        labels_of(b'{"config": {"Labels": {"a": 1}}}')


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "s390x"])
def test_platform_of_process_speaks_the_words_of_images(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    expected = {"x86_64": "linux/amd64", "aarch64": "linux/arm64/v8", "s390x": "linux/s390x"}
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert str(Platform.of_process()) == expected[machine]


def _entry(number: int, platform: str) -> Descriptor:
    digest = Digest(f"sha256:{number:064x}")
    return Descriptor(OCI.manifest, digest, 1, Platform(*platform.split("/")) if platform else None)
