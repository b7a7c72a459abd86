"""Extensions that forbid an upgrade of the cluster, in the notation of `tests.packages`."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from olmv1.fbc import Bundle, Property
from operator_controller.resolver import CatalogContent, CatalogProblem, Request
from operator_controller.upgrade_plan import ClusterFacts, Goal, Objects, Subject, goal_of
from operator_controller.upgradeability import BundleFacts, CurrentVersion, Minor
from tests.packages import PACKAGE, a_bundle


def supporting(text: str, maximum: object = None, *, kubernetes: str | None = None, **properties: object) -> Bundle:
    """A bundle of a catalog that declares a maximum, or none."""
    bundle = a_bundle(text, kubernetes=kubernetes)
    declared = {} if maximum is None else {"olm.maxOpenShiftVersion": maximum}
    more = [_property(name, value) for name, value in {**declared, **properties}.items()]
    return msgspec.structs.replace(bundle, properties=(*bundle.properties, *more))


def a_goal(target: str = "", current: str = "4.18.0") -> Goal:
    return goal_of(target, ClusterFacts(CurrentVersion(Minor.of_version(current))))


def recorded(version: str, maximum: object = None) -> BundleFacts:
    """A bundle of a revision."""
    listed = [] if maximum is None else [{"type": "olm.maxOpenShiftVersion", "value": maximum}]
    return BundleFacts(f"{PACKAGE}.v{version}", json.dumps(listed), package=PACKAGE, version=version)


def a_subject(
    request: Request | None,
    *catalogs: CatalogContent | CatalogProblem,
    maximum: object = "4.18",
    objects: Objects | None = None,
    **changes: Any,
) -> Subject:
    """An extension with the installed bundle of the request."""
    version = request.installed.version if request is not None and request.installed is not None else "1.0.0"
    fields: dict[str, Any] = {
        "name": "till",
        "package": PACKAGE,
        "installed": f"{PACKAGE}.v{version}",
        "bundles": (recorded(version, maximum),),
        "request": request,
        "catalogs": catalogs,
        "objects": objects or Objects(),
    }
    return Subject(**{**fields, **changes})


def _property(name: str, value: object) -> Property:
    return Property(name, msgspec.Raw(json.dumps(value).encode()))
