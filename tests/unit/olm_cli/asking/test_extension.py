"""What is asked for an extension of the cluster: the question of the controller."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from tests.answering_server import AnsweringServer, Reply
from tests.builders import a_condition, an_extension, an_object_set
from tests.olm_command import LIGHTS, Said, a_blob, olm

API = "/apis/olm.operatorframework.io/v1"
METAS = "/api/v1/namespaces/olmv1-system/services/https:catalogd-service:443/proxy/catalogs/lights/api/v1/metas?"
EXTRAS = "extras.olm.operatorframework.io"


def listed(server: AnsweringServer, kind: str, *items: dict[str, Any]) -> None:
    server.replies[f"{API}/{kind}"] = Reply({"metadata": {"resourceVersion": "1"}, "items": list(items)})


def a_catalog(name: str, **spec: Any) -> dict[str, Any]:
    base = f"https://catalogd-service.olmv1-system.svc/catalogs/{name}"
    status = {"conditions": [{"type": "Serving", "status": "True"}], "urls": {"base": base}}
    return {"metadata": {"name": name, "labels": {"tier": name}}, "spec": spec, "status": status}


def a_revision(version: str, number: int = 1, **options: Any) -> dict[str, Any]:
    names = {"name": f"lantern.v{version}", "version": version, "reference": f"registry.example/lantern:{version}"}
    annotations = {f"olm.operatorframework.io/bundle-{key}": value for key, value in names.items()}
    made = an_object_set(number, annotations={**annotations, f"{EXTRAS}/catalog": "lights"}, **options)
    made["metadata"]["labels"]["olm.operatorframework.io/owner-kind"] = "ClusterExtension"
    return made


@pytest.fixture(autouse=True)
def world(server: AnsweringServer) -> None:
    """lantern 1.0.0 is installed, 1.1.0 replaces it, 2.0.0 replaces 1.1.0."""
    versions = ("1.0.0", "1.1.0", "2.0.0")
    names = [f"lantern.v{version}" for version in versions]
    entries: list[dict[str, Any]] = [{"name": names[0]}]
    entries += [{"name": name, "replaces": before} for before, name in pairwise(names)]
    channel = a_blob("olm.channel", "stable", "lantern", entries=entries)
    bundles = [a_blob("olm.bundle", name, "lantern") for name in names]
    listed(server, "clusterextensions", an_extension(catalog={"version": "2.0.0"}))
    listed(server, "clusterobjectsets", a_revision("1.0.0", conditions=[a_condition("Succeeded")]))
    listed(server, "clustercatalogs", a_catalog("lights"))
    nothing = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []}
    server.replies |= {path: Reply(nothing) for path in ("/api", "/apis")}
    server.replies["/version"] = Reply({"gitVersion": "v1.36.3"})
    lines = {"schema=olm.package&name=lantern": [], "package=lantern": [channel, *bundles]}
    for query, blobs in lines.items():
        server.replies[METAS + query] = Reply("".join(json.dumps(blob) + "\n" for blob in blobs).encode())


def an_extension_in(reason: str, message: str, **catalog: str) -> dict[str, Any]:
    condition = {**a_condition("Progressing", reason=reason, message=message), "observedGeneration": 2}
    return {**an_extension(catalog=catalog), "status": {"conditions": [condition]}}


@pytest.mark.parametrize(
    ("reason", "version", "hints"),
    [
        pytest.param("Retrying", "1.1.0", ["now Progressing is True (Retrying): forbidden: a …"], id="in trouble"),
        pytest.param("RollingOut", "1.1.0", [], id="on its way"),
        pytest.param("Retrying", "2.0.0", [], id="no bundle"),
    ],
)
def test_extension_with_a_bundle_is_told_what_keeps_it(
    server: AnsweringServer, kubeconfig: str, reason: str, version: str, hints: list[str]
) -> None:
    listed(server, "clusterextensions", an_extension_in(reason, "forbidden: a\nforbidden: b", version=version))
    assert explained(kubeconfig)["hints"] == hints


def explained(kubeconfig: str, *options: str, name: str = "lantern") -> Any:
    return olm("explain", name, "--kubeconfig", kubeconfig, "-o", "json", *options).json


def test_extension_is_asked_about_with_its_spec_and_its_revision(kubeconfig: str) -> None:
    found = explained(kubeconfig)
    assert found["extension"] == "lantern"
    assert found["request"] == {
        "package": "lantern",
        "version": "2.0.0",
        "intervals": ["[2.0.0]"],
        "channels": [],
        "selector": "",
        "policy": "CatalogProvided",
        "holdMajor": False,
        "kubeVersion": "1.36.3",
        "installed": {
            "name": "lantern.v1.0.0",
            "version": "1.0.0",
            "release": None,
            "image": "registry.example/lantern:1.0.0",
            "catalog": "lights",
        },
    }
    assert [step["pin"] for step in found["route"]["steps"]] == ["1.1.0", "2.0.0"]


def test_options_change_what_the_extension_asks_for(kubeconfig: str) -> None:
    options = ("--version", "", "--channel", "stable", "--policy", "SelfCertified", "--installed", "1.1.0")
    found = explained(kubeconfig, *options)["request"]
    assert (found["version"], found["channels"], found["policy"]) == (None, ["stable"], "SelfCertified")
    assert found["installed"]["name"] == "lantern.v1.1.0"


def test_revision_that_did_not_succeed_is_not_installed(server: AnsweringServer, kubeconfig: str) -> None:
    succeeded = [a_condition("Succeeded")]
    listed(
        server,
        "clusterobjectsets",
        a_revision("1.0.0", conditions=succeeded),
        a_revision("1.1.0", 2),
    )
    assert explained(kubeconfig)["request"]["installed"]["version"] == "1.0.0"
    listed(server, "clusterobjectsets", a_revision("1.1.0"))
    assert explained(kubeconfig)["request"]["installed"] is None


def test_catalogs_that_do_not_count_are_named(server: AnsweringServer, kubeconfig: str) -> None:
    selector = {"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["other"]}]}
    listed(server, "clusterextensions", an_extension(catalog={"selector": selector}))
    gone = a_catalog("gone")
    gone["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    away, other = a_catalog("away", availabilityMode="Unavailable"), a_catalog("other", priority=5)
    listed(server, "clustercatalogs", away, gone, other, a_catalog("lights"))
    found = explained(kubeconfig)
    assert [(each["name"], each["state"]) for each in found["catalogs"]] == [
        ("lights", "used"),
        ("other", "excluded by selector"),
        ("away", "unavailable"),
        ("gone", "being deleted"),
    ]
    assert json.loads(found["request"]["selector"]) == selector


def test_selector_that_selects_nothing_is_the_cause(server: AnsweringServer, kubeconfig: str) -> None:
    listed(server, "clusterextensions", an_extension(catalog={"selector": {"matchLabels": {"tier": "x"}}}))
    found = explained(kubeconfig)
    assert (found["cause"]["kind"], found["cause"]["message"]) == (
        "NoCatalogSelected",
        "the selector selects none of the catalogs [lights]",
    )


def test_extension_is_compared_with_named_catalogs(kubeconfig: str) -> None:
    found = explained(kubeconfig, "--catalog", LIGHTS)
    assert [(each["name"], each["state"]) for each in found["catalogs"]] == [("lights-2", "package not found")]


def test_unknown_extension_is_compared_with_those_of_the_cluster(kubeconfig: str) -> None:
    said = olm("explain", "lanterne", "--kubeconfig", kubeconfig)
    assert said == Said(1, "", 'error: the cluster has no ClusterExtension "lanterne"; did you mean "lantern"?\n')


def test_hold_major_comes_from_the_annotation(server: AnsweringServer, kubeconfig: str) -> None:
    ext = an_extension(catalog={"version": ">1"})
    ext["metadata"]["annotations"] = {f"{EXTRAS}/hold-major": "true"}
    listed(server, "clusterextensions", ext)
    found = explained(kubeconfig, "--installed", "1.1.0")
    assert (found["request"]["holdMajor"], found["cause"]["kind"]) == (True, "MajorHeld")
