"""The files below `metadata/`: the package name and the declared dependencies.

Called by the loader. Rule: bundle-rendering.md 2, 3.1; dependencies.md 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.yaml import YamlError
from operator_controller.bundle.documents import first_document
from operator_controller.bundle.errors import BundleError
from operator_controller.bundle.json_values import compact_json, json_kind

__all__ = ["package_name"]

_PATH = "metadata/annotations.yaml"
_PACKAGE_KEY = "operators.operatorframework.io.bundle.package.v1"
_FILE_TYPE = "registry.AnnotationsFile"


def package_name(data: bytes | None) -> str:
    """The package that metadata/annotations.yaml (`data`) names, empty when it names none.

    Keys are matched ignoring letter case; a number or boolean becomes its text.
    Raises: BundleError when the file is missing or cannot be read.
    """
    if data is None:
        raise BundleError(f"open {_PATH}: no such file or directory")
    try:
        document = first_document(data)
    except YamlError as error:
        raise BundleError(str(error), place=_PATH) from error
    except ValueError as error:
        raise BundleError(f"error unmarshaling JSON: while decoding JSON: json: {error}", place=_PATH) from error
    annotations = _member(_mapping(document, f"Go value of type {_FILE_TYPE}"), "annotations")
    target = "Go struct field AnnotationsFile.annotations"
    name = _member(_mapping(annotations, f"{target} of type registry.Annotations"), _PACKAGE_KEY)
    if isinstance(name, dict | list):
        raise _wrong_kind(name, f"{target}.{_PACKAGE_KEY} of type string")
    if name is None or isinstance(name, str):
        return name or ""
    return compact_json(name)


def _mapping(value: Any, target: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong_kind(value, target)
    return value


def _member(mapping: Mapping[str, Any], name: str) -> Any:
    """The member of that name in any letter case; the exact spelling wins over others."""
    if name in mapping:
        return mapping[name]
    return next((value for key, value in mapping.items() if key.lower() == name), None)


def _wrong_kind(value: Any, target: str) -> BundleError:
    return BundleError(
        f"error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {json_kind(value)} into {target}",
        place=_PATH,
    )
