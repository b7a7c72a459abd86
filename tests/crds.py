"""The CRDs of `config/crd`, parsed, by plural name; and what the API server says when it refuses an object."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from olmv1.kube.errors import Invalid

CRD_DIR = Path(__file__).resolve().parent.parent / "config" / "crd"
_VALUE = re.compile(r'^Invalid value: (?:(?:"(?:[^"\\]|\\.)*"|-?\d+): )?')
# Schema errors hide the rules of the same object, and the API server says so: that is no cause.
_UNCHECKED = "Invalid value: null: some validation rules were not checked"
PLURALS = ("clustercatalogs", "clusterextensions", "clusterobjectsets")


def crd(plural: str) -> dict[str, Any]:
    """The whole CRD."""
    path = CRD_DIR / f"olm.operatorframework.io_{plural}.yaml"
    loaded: dict[str, Any] = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    return loaded


def version_of(plural: str) -> dict[str, Any]:
    """Its only version."""
    (version,) = crd(plural)["spec"]["versions"]
    found: dict[str, Any] = version
    return found


def schema_of(plural: str) -> dict[str, Any]:
    """The schema of its only version."""
    schema: dict[str, Any] = version_of(plural)["schema"]["openAPIV3Schema"]
    return schema


def refusals(refused: Invalid) -> set[tuple[str, str]]:
    """(field, message) of every cause, without `Invalid value: <value>: ` before the message of a rule."""
    causes = refused.details["causes"]
    return {
        (cause["field"], _VALUE.sub("", cause["message"]))
        for cause in causes
        if not cause["message"].startswith(_UNCHECKED)
    }
