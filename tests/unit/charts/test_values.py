"""`values.schema.json` of the chart takes what the chart can do, and refuses everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest
import yaml

from catalogd.settings import Settings as CatalogdSettings
from olmv1.settings import GateKind
from operator_controller.settings import Settings as ControllerSettings
from tools.chart.copies import CHART, PROJECT
from tools.chart.values_table import rows_of

SCHEMA = json.loads((CHART / "values.schema.json").read_text())
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
DIGEST = f"sha256:{'0' * 64}"


def is_valid(values: Mapping[str, Any]) -> bool:
    return jsonschema_rs.Draft7Validator(SCHEMA).is_valid(values)


def nested(path: str, value: Any) -> dict[str, Any]:
    name, _, rest = path.partition(".")
    return {name: nested(rest, value) if rest else value}


def places(schema: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Every value that the schema names, as a path; below a reference there are none."""
    for name, inner in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        deeper = list(places(inner, f"{path}."))
        yield from deeper or [path]


def test_the_defaults_are_valid() -> None:
    assert is_valid(VALUES)


def test_every_value_of_the_schema_has_a_default_and_a_row_in_the_readme() -> None:
    rows = [row.path for row in rows_of((CHART / "values.yaml").read_text())]
    missing = [
        path
        for path in places(SCHEMA)
        if path != "global" and not any(f"{path}.".startswith(f"{row}.") for row in rows)
    ]
    assert missing == []


def test_every_default_is_known_to_the_schema() -> None:
    rows = [row.path for row in rows_of((CHART / "values.yaml").read_text())]
    known = list(places(SCHEMA))
    assert [row for row in rows if not any(f"{path}.".startswith(f"{row}.") for path in known)] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("catalogd.cache", {"existingClaim": "catalogs", "sizeLimit": ""}),
        ("catalogd.extraFlags", {"gc-interval": "1h", "v": 2, "leader-elect": False}),
        (
            "catalogs",
            {"lights": {"image": "registry.example.com/lights:v1", "priority": -5, "labels": {"tier": "one"}}},
        ),
        ("certificates.certManager.issuerRef", {"kind": "ClusterIssuer", "name": "company"}),
        ("global", {"anything": 1}),
        ("globalPullSecret", {"namespace": "openshift-config", "name": "pull-secret"}),
        ("image", {"repository": "registry.example.com:5000/olmv1", "digest": DIGEST}),
        ("operatorController.resources", {"limits": {"cpu": 2, "memory": "1.5Gi"}}),
        ("tls", {"profile": "custom", "customVersion": "TLSv1.3", "customCurves": ["X25519"]}),
        ("unscopedExtensions", {"allow": True, "clusterRole": "cluster-admin"}),
    ],
)
def test_schema_takes(path: str, value: Any) -> None:
    assert is_valid(nested(path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param("catalogd.replica", 2, id="a misspelt name"),
        pytest.param("typo", 1, id="an unknown name at the top"),
        pytest.param("catalogd.replicas", "two", id="a text for a number"),
        pytest.param("catalogd.replicas", -1, id="less than none"),
        pytest.param("catalogd", {"replicas": 2, "cache": {"existingClaim": "c"}}, id="a claim for two replicas"),
        pytest.param("catalogd.resources", {"request": {"cpu": 1}}, id="misspelt requests"),
        pytest.param("catalogd.resources", {"requests": {"memory": "much"}}, id="no quantity"),
        pytest.param("catalogd.verbosity", "debug", id="a word for the log level"),
        pytest.param("catalogd.extraFlags", {"--v": 2}, id="a flag with dashes"),
        pytest.param("catalogd.featureGates", {"APIV2": True}, id="an unknown gate"),
        pytest.param("catalogd.featureGates", {"APIV1MetasHandler": "true"}, id="a gate with a text"),
        pytest.param("catalogd.extraEnv", [{"value": "x"}], id="a variable without a name"),
        pytest.param("operatorController.featureGates", {"SyntheticPermissions": True}, id="a gate that is refused"),
        pytest.param("operatorController.webhookCertificates", "vault", id="an unknown provider of webhooks"),
        pytest.param("catalogs", {"Lights": {"image": "x"}}, id="a catalog with a name that no object can have"),
        pytest.param("catalogs", {"lights": {}}, id="a catalog without image"),
        pytest.param("catalogs", {"lights": {"image": "x", "pollIntervalMinutes": 0}}, id="polling all the time"),
        pytest.param("catalogs", {"lights": {"image": "x", "priority": 2**31}}, id="a priority beyond 32 bits"),
        pytest.param("certificates.provider", "vault", id="an unknown provider"),
        pytest.param("certificates.certManager.issuerRef", {"kind": "Issuer"}, id="an issuer without name"),
        pytest.param("certificates.files.catalogdSecret", "", id="no Secret"),
        pytest.param("globalPullSecret", {"namespace": "", "name": "pull"}, id="a pull secret without namespace"),
        pytest.param("globalPullSecret", {"namespace": "a", "name": ""}, id="a pull secret without name"),
        pytest.param("image.digest", "sha256:12", id="half a digest"),
        pytest.param("image.repository", "", id="no image"),
        pytest.param("image.repository", f"registry.example.com/olmv1@{DIGEST}", id="a digest in the repository"),
        pytest.param("image.pullPolicy", "Sometimes", id="an unknown pull policy"),
        pytest.param("proxy.https", "proxy.example.com:3128", id="a proxy without scheme"),
        pytest.param("tls", {"profile": "modern", "customCiphers": ["A"]}, id="ciphers without a custom profile"),
        pytest.param("tls.profile", "newest", id="an unknown profile"),
        pytest.param("unscopedExtensions", {"allow": False, "clusterRole": "x"}, id="rights for what is refused"),
    ],
)
def test_schema_refuses(path: str, value: Any) -> None:
    assert not is_valid(nested(path, value))


def test_chart_is_of_the_version_of_the_project() -> None:
    project = re.search(r'^version = "(.+)"$', (PROJECT / "pyproject.toml").read_text(), re.MULTILINE)
    assert project is not None
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (project[1], project[1])


def test_schema_knows_the_feature_gates_of_the_components() -> None:
    everywhere = {"AllAlpha", "AllBeta"}
    for component, model in (("catalogd", CatalogdSettings), ("operatorController", ControllerSettings)):
        gates = {gate.name for gate in model.known_gates if gate.kind is not GateKind.REFUSED}
        listed = SCHEMA["properties"][component]["properties"]["featureGates"]["properties"]
        assert set(listed) == gates | everywhere
