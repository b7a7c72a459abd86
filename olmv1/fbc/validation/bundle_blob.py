"""One `olm.bundle` blob. Rule: fbc.md 7, 8, 9, 11 and 16.13."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1.fbc.validation.facts import BundleFacts, Spot
from olmv1.fbc.validation.finding import Code
from olmv1.fbc.validation.notes import Notes
from olmv1.fbc.validation.properties import check_properties
from olmv1.fbc.validation.schemas import BUNDLE_OBJECT, CSV_METADATA, PACKAGE
from olmv1.fbc.validation.texts import image_fault, is_subdomain, release_fault, version_fault

__all__ = ["read_bundle"]


def read_bundle(fields: Mapping[str, Any], spot: Spot, notes: Notes) -> BundleFacts:
    """The facts of the blob, whose faults that need no other blob are noted."""
    name, package = fields.get("name", ""), fields.get("package", "")
    if not package:
        notes.add(spot, Code.NO_PACKAGE, f'package name must be set for bundle "{name}"')
    if name and not is_subdomain(name):
        message = f'bundle name "{name}" is no lower-case RFC 1123 subdomain, which status.install.bundle.name must be'
        notes.add(spot, Code.BUNDLE_NAME, message)
    properties = fields.get("properties", ())
    identity = _identity(check_properties(properties, spot, notes), spot, notes)
    if sum(each.get("type") == CSV_METADATA for each in properties) > 1:
        message = f'more than one "{CSV_METADATA}" property: OLM Classic cannot serve the bundle'
        notes.add(spot, Code.CSV_METADATA_TWICE, message)
    _check_images(fields, spot, notes)
    version, release = identity.get("version"), identity.get("release")
    if version is not None and (fault := version_fault(version)):
        notes.add(spot, Code.BAD_VERSION, f'error parsing bundle "{name}" version "{version}": {fault}')
        version = None
    if release and (fault := release_fault(release)):
        message = f'error parsing bundle "{name}" release version "{release}": invalid release "{release}": {fault}'
        notes.add(spot, Code.BAD_RELEASE, message)
        version = release = None
    has_image = bool(fields.get("image")) or any(each.get("type") == BUNDLE_OBJECT for each in properties)
    return BundleFacts(name, package, version, release, has_image, spot)


def _identity(identities: Sequence[Mapping[str, Any] | None], spot: Spot, notes: Notes) -> Mapping[str, Any]:
    """The one `olm.package` property; empty when there is none that can be read."""
    bundle = spot.subject
    if len(identities) != 1:
        message = (
            f'package "{bundle.package}" bundle "{bundle.name}" must have exactly 1 "{PACKAGE}" property, '
            f"found {len(identities)}"
        )
        notes.add(spot, Code.PACKAGE_PROPERTY, message)
        return {}
    found = identities[0]
    if found is None:
        return {}
    named = found.get("packageName", "")
    if named != bundle.package:
        message = f'package "{bundle.package}" does not match "{PACKAGE}" property "{named}"'
        notes.add(spot, Code.PACKAGE_PROPERTY, message)
    return {"version": "", **found}


def _check_images(fields: Mapping[str, Any], spot: Spot, notes: Notes) -> None:
    """Note references that are none, and related images that are listed twice."""
    before = f'package "{spot.subject.package}" bundle "{spot.subject.name}"'
    image = fields.get("image", "")
    if image and (fault := image_fault(image)):
        notes.add(spot, Code.BAD_IMAGE, f'{before} image: invalid image pull spec "{image}": {fault}')
    seen: set[tuple[str, str]] = set()
    for number, related in enumerate(fields.get("relatedImages", ())):
        pair = (related.get("name", ""), related.get("image", ""))
        where = f"{before} relatedImages[{number}]"
        if pair[1] and (fault := image_fault(pair[1])):
            notes.add(spot, Code.BAD_IMAGE, f'{where}.image: invalid image pull spec "{pair[1]}": {fault}')
        if pair in seen:
            notes.add(spot, Code.DUPLICATE_RELATED_IMAGE, f'{where} is listed before: "{pair[1]}"')
        seen.add(pair)
