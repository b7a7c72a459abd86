from __future__ import annotations

from typing import Any

from olmv1.constraints import Property
from operator_controller.dependencies import (
    Candidate,
    InstalledExtension,
    candidate_of,
    installed_extension,
    recorded_properties,
)
from operator_controller.resolver import CatalogContent, Chosen, Request, index_package, resolve
from tests.packages import a_bundle, a_package
from tests.requirements import BLUE, an_api

_EXT = {
    "metadata": {"name": "lamp", "creationTimestamp": "2026-01-01T00:00:00Z"},
    "spec": {"source": {"catalog": {"packageName": "p"}}},
}
_REQUEST = Request("p")


def a_set(number: int, succeeded: str = "True", **annotations: str) -> dict[str, Any]:
    prefix = "olm.operatorframework.io/"
    names = {"bundle-name": f"p.v{number}", "bundle-version": f"{number}.0.0", "package-name": "p"}
    return {
        "metadata": {
            "name": f"lamp-{number}",
            "uid": str(number),
            "annotations": {**{f"{prefix}{key}": value for key, value in names.items()}, **annotations},
        },
        "spec": {"revision": number, "lifecycleState": "Active"},
        "status": {"conditions": [{"type": "Succeeded", "status": succeeded}]},
    }


def test_installed_extension_is_the_newest_success_with_what_it_recorded() -> None:
    recorded = {"extras.olm.operatorframework.io/bundle-properties": recorded_properties([an_api(BLUE)], [])}
    found = installed_extension(_EXT, [a_set(1), a_set(3, "False"), a_set(2, **recorded)], request=_REQUEST)
    assert found == InstalledExtension(
        "lamp", "p", "p.v2", "2.0.0", (an_api(BLUE),), "2026-01-01T00:00:00Z", request=_REQUEST
    )


def test_installed_extension_without_a_record_falls_back_or_is_unknown() -> None:
    assert installed_extension(_EXT, [a_set(1)]).properties is None
    assert installed_extension(_EXT, [a_set(1)], fallback=(an_api(BLUE),)).properties == (an_api(BLUE),)


def test_installed_extension_without_a_success_has_no_bundle() -> None:
    found = installed_extension(_EXT, [a_set(1, "False")])
    assert found == InstalledExtension("lamp", "p", created="2026-01-01T00:00:00Z")


def test_candidate_has_the_properties_of_both_sources() -> None:
    content = CatalogContent("main", 0, index_package(a_package([a_bundle("1.0.0")])))
    chosen = resolve(_REQUEST, [content])
    assert isinstance(chosen, Chosen)
    assert candidate_of(_EXT, chosen, image_properties=[an_api(BLUE)]) == Candidate(
        "lamp",
        "p",
        "p.v1.0.0",
        "1.0.0",
        (Property("olm.package", {"packageName": "p", "version": "1.0.0"}), an_api(BLUE)),
        "main",
        created="2026-01-01T00:00:00Z",
    )
