"""One `olm.package` blob. Rule: fbc.md 7 and 16.13."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.fbc.validation.facts import PackageFacts, Spot
from olmv1.fbc.validation.finding import Code
from olmv1.fbc.validation.notes import Notes
from olmv1.fbc.validation.properties import check_shape
from olmv1.fbc.validation.texts import base64_fault, decoded, package_name_faults

__all__ = ["read_package"]


def read_package(fields: Mapping[str, Any], spot: Spot, notes: Notes) -> PackageFacts:
    """The facts of the blob, whose faults that need no other blob are noted."""
    name = fields.get("name", "")
    if not name:
        notes.add(spot, Code.PACKAGE_NAME, "config contains package with no name")
    elif faults := package_name_faults(name):
        notes.add(spot, Code.PACKAGE_NAME, f'invalid package name "{name}": [{" ".join(faults)}]')
    if "icon" in fields:
        _check_icon(fields["icon"], spot, notes)
    if "properties" in fields:
        check_shape(fields["properties"], spot, notes)
    return PackageFacts(name, fields.get("defaultChannel", ""), spot)


def _check_icon(icon: Mapping[str, Any], spot: Spot, notes: Notes) -> None:
    text, type_ = icon.get("base64data", ""), icon.get("mediatype", "")
    data = decoded(text)
    if data is None:
        notes.add(spot, Code.BAD_ICON_DATA, f"parse package: {base64_fault(text)}")
    elif not data:
        notes.add(spot, Code.ICON, "the icon is empty")
    elif not type_.startswith("image/"):
        message = f'the media type of the icon is "{type_[:60]}", expected one that begins with image/'
        notes.add(spot, Code.ICON, message)
    elif (meant := _image_type(data)) != type_:
        found = f"an {meant}" if meant else "no image that is known"
        notes.add(spot, Code.ICON, f'the media type of the icon is "{type_[:60]}", its data is {found}')


_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"BM": "image/bmp",
    b"RIFF": "image/webp",
}


def _image_type(data: bytes) -> str:
    """The media type that the bytes of an image show; empty when they show none."""
    for signature, type_ in _SIGNATURES.items():
        if data.startswith(signature):
            return type_
    return "image/svg+xml" if b"<svg" in data[:4096] or b":svg" in data[:4096] else ""
