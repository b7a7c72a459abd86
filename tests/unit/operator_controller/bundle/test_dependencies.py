from __future__ import annotations

import pytest

from operator_controller.bundle import Property
from operator_controller.bundle.dependencies import dependency_findings


@pytest.mark.parametrize(
    ("kind", "value", "findings"),
    [
        ("olm.gvk", {"group": "g", "version": "v", "kind": "K"}, []),
        ("olm.gvk", {"kind": ""}, ["API Group is empty", "API Kind is empty", "API Version is empty"]),
        ("olm.package", {"packageName": "p", "version": ">1.0.0 <2.0.0"}, []),
        ("olm.package", {}, ["Package name is empty", "Package version is empty"]),
        ("olm.package", {"packageName": "p", "version": "one"}, ["Invalid semver format version"]),
        ("olm.package", {"packageName": "p", "version": 1.5}, ["Invalid semver format version"]),
        ("olm.label", {"label": "l"}, []),
        ("olm.label", {}, ["Label information is missing"]),
        ("olm.constraint", {"cel": {"rule": "true"}}, []),
        ("olm.constraint", {"all": {"constraints": []}}, []),
        ("olm.constraint", {"failureMessage": "m"}, ["The CEL field is missing"]),
        ("olm.constraint", {"cel": {"rule": ""}}, ["The CEL expression is missing"]),
        ("olm.constraint", {"cel": "true"}, ["The CEL expression is missing"]),
        ("olm.package", "text", ["couldn't parse dependency of type olm.package"]),
        ("other", {}, ["unsupported dependency type other"]),
    ],
)
def test_dependency_findings_are_those_of_opm(kind: str, value: object, findings: list[str]) -> None:
    prefix = "metadata/dependencies.yaml: dependencies[1]: "
    given = (Property("olm.label", {"label": "fine"}), Property(kind, value))
    assert list(dependency_findings(given)) == [f"{prefix}{finding}" for finding in findings]
