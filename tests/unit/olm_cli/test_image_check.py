"""Images that a catalog names, looked for in a real registry over TLS."""

from __future__ import annotations

from pathlib import Path

import pytest

from olm_cli.image_check import check_images
from olmv1.fbc.validation import Code, Finding, Place, Severity, Subject, UsedImage
from tests.oci_images import a_layer, an_image
from tests.registry import Login, running_registry
from tests.registry_tls import Authority

PLACE, SUBJECT = Place("lamp.yaml", 3, 9), Subject("olm.bundle", "lamp", "lamp.v1.0.0")


def used(image: str) -> UsedImage:
    return UsedImage(image, PLACE, SUBJECT)


def told(findings: tuple[Finding, ...]) -> list[tuple[Code, str]]:
    return [(finding.code, finding.message.split(": ")[0]) for finding in findings]


@pytest.fixture
def cas(tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "cas"
    folder.mkdir()
    (folder / "ca.crt").write_bytes(authority.ca_file.read_bytes())
    return folder


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.create(tmp_path)


async def test_image_check_finds_what_is_not_there(authority: Authority, cas: Path) -> None:
    async with running_registry(authority.server_context()) as registry:
        ref = registry.push("team/lamp", "v1", an_image([a_layer({"a": b"b"})]))
        registry.push("team/lamp", "latest", an_image([a_layer({"a": b"b"})]))
        host, digest = registry.host, ref.rpartition("@")[2]
        gone = f"{host}/team/lamp@sha256:{'0' * 64}"
        there = [f"{host}/team/lamp:v1", ref, f"{host}/team/lamp:v1@{digest}", f"{host}/team/lamp"]
        findings = await check_images([used(image) for image in (*there, f"{host}/team/wick:v1", gone)], cas)
    assert told(findings) == [
        (Code.IMAGE_MISSING, f"image {host}/team/wick:v1 is not there"),
        (Code.IMAGE_MISSING, f"image {gone} is not there"),
    ]
    assert {(f.severity, f.place, f.subject) for f in findings} == {(Severity.ERROR, PLACE, SUBJECT)}


async def test_image_check_says_what_it_cannot_tell(authority: Authority, cas: Path) -> None:
    async with running_registry(authority.server_context(), Login("basic")) as registry:
        locked = f"{registry.host}/team/lamp:v1"
        findings = await check_images([used("lamp"), used(locked)], cas)
    assert told(findings) == [
        (Code.IMAGE_UNCHECKED, "image lamp cannot be asked for"),
        (Code.IMAGE_UNCHECKED, f"image {locked} could not be looked for"),
    ]
    assert {finding.severity for finding in findings} == {Severity.WARNING}


async def test_image_check_asks_for_many_at_once_and_tells_in_order(authority: Authority, cas: Path) -> None:
    async with running_registry(authority.server_context()) as registry:
        images = [used(f"{registry.host}/team/a{number}:v1") for number in range(60)]
        findings = await check_images(images, cas)
    assert [finding.message.split()[1] for finding in findings] == [image.image for image in images]


async def test_image_check_of_nothing_finds_nothing(cas: Path) -> None:
    assert await check_images([], cas) == ()
