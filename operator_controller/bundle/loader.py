"""From the files of a bundle image to the typed view.

Called by the reconcile and by `olm render`. Reads nothing: the shell hands over the files. Rule: bundle-rendering.md 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from olmv1.errors import RetryableError
from olmv1.manifests import Manifest, key_of, name_of
from operator_controller.bundle.conversion import ConversionError, convert, dotted
from operator_controller.bundle.csv_view import view_of_csv
from operator_controller.bundle.dependencies import dependency_findings
from operator_controller.bundle.documents import Document, documents_of
from operator_controller.bundle.errors import BundleError
from operator_controller.bundle.lost_fields import lost_fields_warning
from operator_controller.bundle.metadata import package_name
from operator_controller.bundle.model import Bundle, Property
from operator_controller.bundle.properties import ANNOTATION, merge_properties, properties_in_file

__all__ = ["parse_bundle"]

_MANIFESTS = "manifests/"
# The kinds that pass through the Kubernetes types, with their groups.
_TYPED = {"ClusterServiceVersion": "operators.coreos.com", "CustomResourceDefinition": "apiextensions.k8s.io"}


def parse_bundle(files: Mapping[str, bytes], *, as_reference: bool = False) -> Bundle:
    """The typed view of the bundle in `files`: path relative to the root of the bundle image -> content.

    Only `manifests/` and `metadata/` are looked at. `as_reference` leaves out what the reference does not do: errors
    name no place and are retried, wrapped properties stay wrapped, and the group of a CSV or CRD is not looked at.
    Raises: BundleError (terminal), or RetryableError with `as_reference`. Rule: bundle-rendering.md 3, 15 rows 1 and 2.
    """
    try:
        return _load(files, as_reference=as_reference)
    except BundleError as error:
        if as_reference:
            raise RetryableError(error.words) from error
        raise


def _load(files: Mapping[str, bytes], *, as_reference: bool) -> Bundle:
    package = package_name(files.get("metadata/annotations.yaml"))
    drawers = _drawers_of(_all_documents(files), is_group_aware=not as_reference)
    view = view_of_csv(drawers.csv.manifest)
    merged = merge_properties(
        view.annotations.get(ANNOTATION), files.get("metadata/properties.yaml"), keep_wrapped=as_reference
    )
    dependencies, warnings = _dependencies(files.get("metadata/dependencies.yaml"))
    return replace(
        view,
        package=package,
        annotations=view.annotations
        if merged.annotation is None
        else {**view.annotations, ANNOTATION: merged.annotation},
        csv_path=drawers.csv.path,
        crds=tuple(document.manifest for document in drawers.crds),
        crd_paths=tuple(document.path for document in drawers.crds),
        others=tuple(document.manifest for document in drawers.others),
        other_paths=tuple(document.path for document in drawers.others),
        properties=merged.properties,
        dependencies=dependencies,
        warnings=(*merged.warnings, *warnings, *drawers.warnings),
    )


@dataclass(frozen=True, slots=True)
class _Drawers:
    csv: Document
    crds: tuple[Document, ...]
    others: tuple[Document, ...]
    warnings: tuple[str, ...]


def _all_documents(files: Mapping[str, bytes]) -> Iterator[Document]:
    """The objects of `manifests/` in byte order of the file names."""
    paths = sorted((path for path in files if path.startswith(_MANIFESTS)), key=_walk_order)
    if not paths:
        raise BundleError("stat manifests: no such file or directory")
    for path in paths:
        folder, slash, _ = path.removeprefix(_MANIFESTS).partition("/")
        if slash:
            raise BundleError(
                'subdirectories are not allowed within the "manifests" directory of the bundle image filesystem: '
                f'found "{_MANIFESTS}{folder}"'
            )
        yield from documents_of(path, files[path])


def _walk_order(path: str) -> bytes:
    """A folder stands where its own name does, before `folder.yaml`."""
    return path.removeprefix(_MANIFESTS).partition("/")[0].encode(errors="surrogateescape")


def _drawers_of(documents: Iterable[Document], *, is_group_aware: bool) -> _Drawers:
    csv: Document | None = None
    crds, others, warnings = [], [], []
    for document in documents:
        kind = document.manifest["kind"]
        if kind not in _TYPED or (is_group_aware and not _is_of_group(document.manifest, _TYPED[kind])):
            others.append(document)
            continue
        typed = _typed(kind, document)
        if warning := lost_fields_warning(_called(kind, document), document.manifest, typed.manifest):
            warnings.append(warning)
        if kind == "ClusterServiceVersion":
            csv = typed
        else:
            crds.append(typed)
    if csv is None:
        raise BundleError('no ClusterServiceVersion found in "manifests"')
    return _Drawers(csv, tuple(crds), tuple(others), tuple(warnings))


def _is_of_group(manifest: Manifest, group: str) -> bool:
    """An object without apiVersion is taken for what its kind says."""
    return not manifest.get("apiVersion") or key_of(manifest).group == group


def _typed(type_name: str, document: Document) -> Document:
    try:
        return replace(document, manifest=convert(type_name, document.manifest))
    except ConversionError as error:
        place = f'document {document.number}, {type_name} "{name_of(document.manifest)}", {dotted(error.path)}'
        raise BundleError(f'error parsing objects in "{document.path}": {error}', place=place) from error


def _called(type_name: str, document: Document) -> str:
    return f'{document.path}: {type_name} "{name_of(document.manifest)}"'


def _dependencies(data: bytes | None) -> tuple[tuple[Property, ...], tuple[str, ...]]:
    """What metadata/dependencies.yaml declares; an unreadable file is a warning, the reference never looks at it."""
    try:
        dependencies, warnings = properties_in_file("dependencies.yaml", data, "dependencies")
    except ValueError as error:
        return (), (f"failed to unmarshal metadata/dependencies.yaml: {error}",)
    return dependencies, (*warnings, *dependency_findings(dependencies))
