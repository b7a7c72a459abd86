"""From what the reconciler has in its hands to the values of the check."""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.api.names import ANNOTATION_BUNDLE_PROPERTIES
from olmv1.constraints import Property
from olmv1.manifests import Manifest, annotations_of, name_of
from operator_controller.dependencies.facts import Candidate, InstalledExtension
from operator_controller.dependencies.properties import merged, properties_of_blob
from operator_controller.dependencies.recording import read_properties
from operator_controller.resolver import Chosen, Request
from operator_controller.revisions.view import installed, view_of

__all__ = ["candidate_of", "installed_extension"]


def installed_extension(
    ext: Manifest,
    object_sets: Iterable[Manifest],
    *,
    request: Request | None = None,
    fallback: tuple[Property, ...] | None = None,
) -> InstalledExtension:
    """The extension `ext` with what the newest successful one of its `object_sets` has installed.

    `fallback`: the properties of that bundle from elsewhere, for revisions that recorded none.
    """
    by_name = {name_of(each): each for each in object_sets}
    revision = installed(map(view_of, by_name.values()))
    created, package = _identity(ext)
    if revision is None:
        return InstalledExtension(name_of(ext), package, created=created, request=request)
    recorded = read_properties(annotations_of(by_name[revision.name]).get(ANNOTATION_BUNDLE_PROPERTIES))
    bundle = revision.bundle
    return InstalledExtension(
        name=name_of(ext),
        package=bundle.package or package,
        bundle=bundle.name,
        version=bundle.version,
        properties=fallback if recorded is None else recorded,
        created=created,
        request=request,
    )


def candidate_of(
    ext: Manifest,
    chosen: Chosen,
    *,
    image_properties: Iterable[Property] = (),
    objects: frozenset[tuple[str, str]] = frozenset(),
) -> Candidate:
    """The resolver's choice for `ext`; with the properties of the image and the rendered objects once they exist."""
    created, package = _identity(ext)
    return Candidate(
        extension=name_of(ext),
        package=package,
        bundle=chosen.bundle.name,
        version=str(chosen.version.version),
        properties=merged(properties_of_blob(chosen.bundle), image_properties),
        catalog=chosen.catalog,
        is_installed=chosen.is_installed,
        created=created,
        objects=objects,
    )


def _identity(ext: Manifest) -> tuple[str, str]:
    """Creation time, and the package that the spec asks for."""
    catalog = ((ext.get("spec") or {}).get("source") or {}).get("catalog") or {}
    return str(ext["metadata"].get("creationTimestamp") or ""), str(catalog.get("packageName") or "")
