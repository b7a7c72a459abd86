"""What the API server admits, fills in and refuses of a ClusterCatalog, with the exact messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from olmv1.images.references import Reference
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import Invalid
from olmv1.kube.resources import CLUSTER_CATALOGS
from tests.crds import refusals

pytestmark = pytest.mark.api

DOMAIN = (
    "must start with a valid domain. valid domains must be alphanumeric characters (lowercase and uppercase) "
    'separated by the "." character.'
)
CANONICAL = "repository name must be canonical. it must start with the host of a registry."
NAME = (
    "a valid name is required. valid names must contain lowercase alphanumeric characters separated only by the "
    '".", "_", "__", "-" characters.'
)
DOCKER_HUB = "repository name must be canonical. images of Docker Hub are written docker.io/<folder>/<name>."
LONG_NAME = "repository name must not be longer than 255 characters"
ENDING = "must end with a digest or a tag"
LONG_TAG = "tag is invalid. the tag must not be more than 127 characters"
TAG = (
    'tag is invalid. valid tags must begin with a word character (alphanumeric + "_") followed by word characters '
    'or ".", and "-" characters'
)
BOTH = "cannot specify both a tag and a digest"
ALGORITHM = (
    "digest algorithm is not valid. valid algorithms must start with an uppercase or lowercase alpha character "
    'followed by alphanumeric characters and may contain the "-", "_", "+", and "." characters.'
)
SHORT = "digest is not valid. the encoded string must be at least 32 characters"
HEX = "digest is not valid. the encoded string must only contain hex characters (A-F, a-f, 0-9)"
LENGTH = "digest is not valid. sha256 takes 64, sha384 takes 96 and sha512 takes 128 lowercase hex characters"
SHA256 = "sha256:" + "0f" * 32


def a_catalog(ref: str = "registry.example/team/catalog:v1", *, name: str = "team", **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterCatalog",
        "metadata": {"name": name},
        "spec": {"source": {"type": "Image", "image": {"ref": ref}}, **spec},
    }


def an_image(**image: Any) -> dict[str, Any]:
    return {"source": {"type": "Image", "image": image}}


@pytest.fixture
async def stored(client: KubeClient) -> AsyncIterator[KubeClient]:
    """A client of a server that has a catalog `team`."""
    await client.create(CLUSTER_CATALOGS, a_catalog())
    try:
        yield client
    finally:
        await client.delete(CLUSTER_CATALOGS, "team")


async def test_catalog_gets_its_defaults(client: KubeClient) -> None:
    created = await client.create(CLUSTER_CATALOGS, a_catalog(), dry_run=True)
    assert created["spec"] == a_catalog(priority=0, availabilityMode="Available")["spec"]


@pytest.mark.parametrize(
    "ref",
    [
        "registry.example/team/catalog:v1",
        "localhost/cat:v1",
        "localhost:5000/cat:v1",
        "127.0.0.1:5000/a/b/c:v1",
        "registry.example:5000/cat:latest",
        "Registry.Example/cat:V1",
        "registry.example:5000/" + "a/" * 60 + "cat:v1",
        "registry.example/a_b/c__d/e-f/g---h/i.j:" + "_" * 127,
        f"registry.example/cat@{SHA256}",
        f"registry.example:5000/cat@{SHA256}",
        "registry.example/cat@sha512:" + "ab" * 64,
        "docker.io/library/cat:v1",
        "r.example/" + "a" * 245 + ":v1",
    ],
)
async def test_image_reference_is_admitted(client: KubeClient, ref: str) -> None:
    created = await client.create(CLUSTER_CATALOGS, a_catalog(ref), dry_run=True)
    assert created["spec"]["source"]["image"]["ref"] == ref
    assert str(Reference.parse(ref)) == ref  # what is admitted can be pulled


async def test_digest_algorithms_that_the_puller_does_not_know_are_left_to_it(client: KubeClient) -> None:
    ref = "registry.example/cat@my-hash+b64u:" + "A" * 32
    created = await client.create(CLUSTER_CATALOGS, a_catalog(ref), dry_run=True)
    assert created["spec"]["source"]["image"]["ref"] == ref


@pytest.mark.parametrize(
    ("ref", "messages"),
    [
        pytest.param("-registry.example/cat:v1", {DOMAIN}, id="domain"),
        pytest.param("regi_stry.example/cat:v1", {DOMAIN}, id="domain with underscore"),
        pytest.param("library/cat:latest", {CANONICAL}, id="no registry"),
        pytest.param("docker.io/cat:v1", {DOCKER_HUB}, id="Docker Hub without folder"),
        pytest.param("index.docker.io/library/cat:v1", {DOCKER_HUB}, id="other name of Docker Hub"),
        pytest.param("cat:latest", {NAME}, id="one part"),
        pytest.param("r.example/" + "a" * 246 + ":v1", {LONG_NAME}, id="long name"),
        pytest.param("registry.example/Cat/x:v1", {NAME}, id="capital in the name"),
        pytest.param("registry.example/a//b:v1", {NAME}, id="empty part"),
        pytest.param("registry.example:port/cat:v1", {NAME}, id="port of letters"),
        pytest.param("registry.example/cat", {ENDING}, id="neither tag nor digest"),
        pytest.param("registry.example/cat:" + "a" * 128, {LONG_TAG}, id="long tag"),
        pytest.param("registry.example:5000/cat", {TAG}, id="port only"),
        pytest.param("registry.example/cat:.v1", {TAG}, id="tag begins with a dot"),
        pytest.param("registry.example/cat:", {TAG}, id="empty tag"),
        pytest.param(f"registry.example/cat:v1@{SHA256}", {BOTH}, id="tag and digest"),
        pytest.param("registry.example/cat@2x:" + "ab" * 32, {ALGORITHM}, id="algorithm"),
        pytest.param("registry.example/cat@md5:" + "ab" * 8, {SHORT}, id="short digest"),
        pytest.param("registry.example/cat@other:" + "xy" * 32, {HEX}, id="not hex"),
        pytest.param("registry.example/cat@sha256:" + "ab" * 20, {LENGTH}, id="length of sha256"),
        pytest.param("registry.example/cat@sha512:" + "ab" * 32, {LENGTH}, id="length of sha512"),
        pytest.param("registry.example/cat@sha256:" + "AB" * 32, {LENGTH}, id="capital hex"),
        pytest.param("registry.example/cat@sha256:", {SHORT, LENGTH}, id="empty digest"),
        pytest.param("r.example/cat:" + "a" * 1000, {"Too long: may not be more than 1000 bytes"}, id="too long"),
    ],
)
async def test_image_reference_is_refused(client: KubeClient, ref: str, messages: set[str]) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_CATALOGS, a_catalog(ref), dry_run=True)
    assert refusals(refused.value) == {("spec.source.image.ref", message) for message in messages}


@pytest.mark.parametrize(
    ("field", "message", "spec"),
    [
        (
            "spec.source",
            "image is required when source type is Image, and forbidden otherwise",
            {"source": {"type": "Image"}},
        ),
        ("spec.source.type", 'Unsupported value: "Git": supported values: "Image"', {"source": {"type": "Git"}}),
        (
            "spec.source.image",
            "cannot specify pollIntervalMinutes while using digest-based image",
            an_image(ref=f"registry.example/cat@{SHA256}", pollIntervalMinutes=5),
        ),
        (
            "spec.source.image.pollIntervalMinutes",
            "spec.source.image.pollIntervalMinutes in body should be greater than or equal to 1",
            an_image(ref="registry.example/cat:v1", pollIntervalMinutes=0),
        ),
        ("spec.priority", "spec.priority in body should be less than or equal to 2147483647", {"priority": 2**31}),
        (
            "spec.priority",
            "spec.priority in body should be greater than or equal to -2147483648",
            {"priority": -(2**31) - 1},
        ),
        (
            "spec.availabilityMode",
            'Unsupported value: "Off": supported values: "Unavailable", "Available"',
            {"availabilityMode": "Off"},
        ),
    ],
)
async def test_catalog_is_refused(client: KubeClient, field: str, message: str, spec: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_CATALOGS, a_catalog(**spec), dry_run=True)
    assert (field, message) in refusals(refused.value)


async def test_catalog_name_fits_into_a_label(client: KubeClient) -> None:
    await client.create(CLUSTER_CATALOGS, a_catalog(name="a" * 63), dry_run=True)
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_CATALOGS, a_catalog(name="a" * 64), dry_run=True)
    assert {message for _, message in refusals(refused.value)} == {"metadata.name must be no longer than 63 characters"}


async def test_catalog_needs_a_spec(client: KubeClient) -> None:
    manifest = {key: value for key, value in a_catalog().items() if key != "spec"}
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_CATALOGS, manifest, dry_run=True)
    assert refusals(refused.value) == {("spec", "Required value")}


async def test_nothing_in_the_spec_is_immutable(stored: KubeClient) -> None:
    spec = {
        **an_image(ref="other.example/cat:v2", pollIntervalMinutes=1),
        "priority": 7,
        "availabilityMode": "Unavailable",
    }
    patched = await stored.patch(CLUSTER_CATALOGS, "team", {"spec": spec})
    assert patched["spec"] == spec


async def test_status_is_stored(stored: KubeClient) -> None:
    status = {
        "resolvedSource": {"type": "Image", "image": {"ref": f"registry.example:5000/cat@{SHA256}"}},
        "urls": {"base": "https://catalogd-service.olmv1-system.svc/catalogs/team"},
        "lastUnpacked": "2026-01-01T00:00:11Z",
    }
    patched = await stored.patch(CLUSTER_CATALOGS, "team", {"status": status}, subresource="status")
    assert patched["status"] == status


@pytest.mark.parametrize(
    ("field", "message", "status"),
    [
        (
            "status.resolvedSource.image.ref",
            "must end with a digest",
            {"resolvedSource": {"type": "Image", "image": {"ref": "registry.example/cat:v1"}}},
        ),
        ("status.urls.base", "must be a valid URL", {"urls": {"base": "catalogd service"}}),
        ("status.urls.base", "scheme must be either http or https", {"urls": {"base": "ftp://catalogd.example/x"}}),
        ("status.urls.base", "Too long: may not be more than 525 bytes", {"urls": {"base": "https://" + "a" * 518}}),
    ],
)
async def test_status_is_refused(stored: KubeClient, field: str, message: str, status: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_CATALOGS, "team", {"status": status}, subresource="status", dry_run=True)
    assert refusals(refused.value) == {(field, message)}
