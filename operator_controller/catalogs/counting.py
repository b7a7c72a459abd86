"""Which catalogs count, and which of those can be asked; `olm` goes by it too. Rule: resolution.md 2, 7, 16.7."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from olmv1.conditions import is_true
from olmv1.manifests import Manifest, is_deleting, labels_of, name_of
from olmv1.selectors import Selector
from operator_controller.explanation import Absence, LeftOut

__all__ = ["base_url_of", "counts", "left_out", "unusable_reason"]


def counts(catalog: Manifest) -> bool:
    """Whether the ClusterCatalog is looked into at all: it is available and not being deleted."""
    return (catalog.get("spec") or {}).get("availabilityMode") != "Unavailable" and not is_deleting(catalog)


def left_out(catalogs: Iterable[Manifest], selector: Selector) -> Iterator[LeftOut]:
    """The ClusterCatalogs that are not looked into for an extension with this selector, and why not."""
    for catalog in catalogs:
        if not selector.matches(labels_of(catalog)):
            absence = Absence.NOT_SELECTED
        elif is_deleting(catalog):
            absence = Absence.DELETING
        elif not counts(catalog):
            absence = Absence.UNAVAILABLE
        else:
            continue
        yield LeftOut(name_of(catalog), int((catalog.get("spec") or {}).get("priority") or 0), absence)


def unusable_reason(catalog: Manifest) -> str | None:
    """Why the content of the ClusterCatalog cannot be asked for now, or `None` when it can."""
    if not is_true(catalog, "Serving"):
        return f'catalog "{name_of(catalog)}" is not being served'
    if not base_url_of(catalog):
        return f'error: catalog "{name_of(catalog)}" has a nil status.urls value'
    return None


def base_url_of(catalog: Manifest) -> str:
    """Where the catalog is served (`status.urls.base`) without a trailing slash; empty when its status does not say."""
    urls: dict[str, Any] = (catalog.get("status") or {}).get("urls") or {}
    return str(urls.get("base") or "").rstrip("/")
