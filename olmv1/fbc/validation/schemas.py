"""The shapes of the known blobs and properties. Rule: fbc.md 7 and 8."""

from __future__ import annotations

from collections.abc import Mapping

from olmv1.fbc.model import SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_DEPRECATIONS, SCHEMA_PACKAGE
from olmv1.fbc.validation.shapes import ANY, TEXT, ListOf, MapOf, ObjectOf, Scalar, Shape

__all__ = [
    "BLOBS",
    "BUNDLE_OBJECT",
    "CSV_METADATA",
    "GVK",
    "MAX_OPENSHIFT",
    "PACKAGE",
    "PARSE_WORDS",
    "PROPERTIES",
]

PACKAGE = "olm.package"
GVK = "olm.gvk"
CSV_METADATA = "olm.csv.metadata"
BUNDLE_OBJECT = "olm.bundle.object"
MAX_OPENSHIFT = "olm.maxOpenShiftVersion"

PARSE_WORDS: Mapping[str, str] = {
    SCHEMA_PACKAGE: "package",
    SCHEMA_CHANNEL: "channel",
    SCHEMA_BUNDLE: "bundle",
    SCHEMA_DEPRECATIONS: "deprecation",
}
"""What messages call each schema: `parse channel: …`."""

_META: dict[str, Shape] = {"schema": TEXT, "package": TEXT, "name": TEXT}
_PROPERTIES = ListOf(ObjectOf({"type": TEXT, "value": ANY}))

BLOBS: Mapping[str, ObjectOf] = {
    SCHEMA_PACKAGE: ObjectOf(
        {
            **_META,
            "defaultChannel": TEXT,
            "description": TEXT,
            "icon": ObjectOf({"base64data": TEXT, "mediatype": TEXT}),
            "properties": _PROPERTIES,
        }
    ),
    SCHEMA_CHANNEL: ObjectOf(
        {
            **_META,
            "entries": ListOf(ObjectOf({"name": TEXT, "replaces": TEXT, "skips": ListOf(TEXT), "skipRange": TEXT})),
            "properties": _PROPERTIES,
        }
    ),
    SCHEMA_BUNDLE: ObjectOf(
        {
            **_META,
            "image": TEXT,
            "properties": _PROPERTIES,
            "relatedImages": ListOf(ObjectOf({"name": TEXT, "image": TEXT})),
        }
    ),
    SCHEMA_DEPRECATIONS: ObjectOf(
        {
            **_META,
            "entries": ListOf(ObjectOf({"reference": ObjectOf({"schema": TEXT, "name": TEXT}), "message": TEXT})),
        }
    ),
}

_GVK = ObjectOf({"group": TEXT, "version": TEXT, "kind": TEXT})
_API = ObjectOf({"name": TEXT, "version": TEXT, "kind": TEXT}, is_open=True)
_TEXTS = MapOf(TEXT)

# Only the types that opm looks at; everything else in CSV metadata is for user interfaces.
_CSV_METADATA = ObjectOf(
    {
        "annotations": _TEXTS,
        "apiServiceDefinitions": ObjectOf({"owned": ListOf(_API), "required": ListOf(_API)}, is_open=True),
        "crdDescriptions": ObjectOf({"owned": ListOf(_API), "required": ListOf(_API)}, is_open=True),
        "description": TEXT,
        "displayName": TEXT,
        "installModes": ListOf(ObjectOf({"type": TEXT, "supported": Scalar.FLAG}, is_open=True)),
        "keywords": ListOf(TEXT),
        "labels": _TEXTS,
        "links": ListOf(ObjectOf({"name": TEXT, "url": TEXT}, is_open=True)),
        "maintainers": ListOf(ObjectOf({"name": TEXT, "email": TEXT}, is_open=True)),
        "maturity": TEXT,
        "minKubeVersion": TEXT,
        "nativeAPIs": ListOf(ObjectOf({"group": TEXT, "version": TEXT, "kind": TEXT}, is_open=True)),
        "provider": ObjectOf({"name": TEXT, "url": TEXT}, is_open=True),
    },
    is_open=True,
)

PROPERTIES: Mapping[str, Shape] = {
    PACKAGE: ObjectOf({"packageName": TEXT, "version": TEXT, "release": TEXT}),
    GVK: _GVK,
    "olm.gvk.required": _GVK,
    "olm.package.required": ObjectOf({"packageName": TEXT, "versionRange": TEXT}),
    CSV_METADATA: _CSV_METADATA,
    "olm.channel": ObjectOf({"channelName": TEXT}),
}
"""Property types whose values opm decodes; `olm.bundle.object` is read when the blob is loaded."""
