"""The cluster around an extension, as `olm explain NAME` reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from olm_cli.asking.neighbours import Neighbours, neighbours_of
from olm_cli.cluster import connected
from olm_cli.options import ClusterOptions
from olm_cli.problems import CannotTell
from operator_controller.dependencies import InstalledExtension, recorded_properties
from operator_controller.resolver import InstalledBundle, Request
from tests.answering_server import AnsweringServer, Reply, answering_server, write_kubeconfig
from tests.builders import a_condition, an_extension, an_object_set
from tests.requirements import GREEN, an_api

API = "/apis/olm.operatorframework.io/v1"


def listed(server: AnsweringServer, kind: str, *items: dict[str, Any]) -> None:
    server.replies[f"{API}/{kind}"] = Reply({"metadata": {"resourceVersion": "1"}, "items": list(items)})


def a_revision() -> dict[str, Any]:
    annotations = {
        "olm.operatorframework.io/bundle-name": "lantern.v1.0.0",
        "olm.operatorframework.io/bundle-version": "1.0.0",
        "extras.olm.operatorframework.io/bundle-properties": recorded_properties([an_api(GREEN)], ()),
    }
    made = an_object_set(annotations=annotations, conditions=[a_condition("Succeeded")])
    made["metadata"]["labels"]["olm.operatorframework.io/owner-kind"] = "ClusterExtension"
    return made


def a_kind(group: str, version: str, kind: str) -> dict[str, Any]:
    resource = {
        "resource": f"{kind.lower()}s",
        "responseKind": {"group": group, "version": version, "kind": kind},
        "scope": "Namespaced",
        "verbs": ["list"],
    }
    return {"metadata": {"name": group}, "versions": [{"version": version, "resources": [resource]}]}


async def the_neighbours(kubeconfig: Path, url: str) -> Neighbours:
    options = ClusterOptions(kubeconfig=write_kubeconfig(kubeconfig, url))
    async with connected(options) as client:
        return await neighbours_of(client, "lantern")


async def test_neighbours_are_what_is_installed_and_what_is_served(tmp_path: Path) -> None:
    unreadable = {"metadata": {"name": "broken"}, "spec": {"source": {"catalog": {"packageName": "p"}}}}
    with answering_server() as server:
        listed(server, "clusterextensions", an_extension(), unreadable)
        listed(server, "clusterobjectsets", a_revision())
        server.replies["/api"] = Reply({"kind": "APIGroupDiscoveryList", "items": []})
        server.replies["/apis"] = Reply(
            {"kind": "APIGroupDiscoveryList", "items": [a_kind("apps", "v1", "Deployment")]}
        )
        server.replies["/version"] = Reply({"gitVersion": "v1.36.3"})
        found = await the_neighbours(tmp_path / "kubeconfig", server.url)
    installed = InstalledBundle("lantern.v1.0.0", "1.0.0")
    assert list(found.extensions) == [
        InstalledExtension("broken", "p"),
        InstalledExtension(
            "lantern",
            "lantern",
            "lantern.v1.0.0",
            "1.0.0",
            (an_api(GREEN),),
            request=Request("lantern", installed=installed),
        ),
    ]
    assert found.ext["metadata"]["name"] == "lantern"
    assert (found.served.kube_version, found.served.kinds) == ("1.36.3", frozenset({("apps", "v1", "Deployment")}))


async def test_neighbours_of_a_cluster_that_refuses_discovery_cannot_be_told(tmp_path: Path) -> None:
    with answering_server() as server:
        listed(server, "clusterextensions", an_extension())
        listed(server, "clusterobjectsets")
        for path in ("/api", "/apis", "/version"):
            server.replies[path] = Reply({"message": "no"}, status=403)
        with pytest.raises(CannotTell, match="^cannot ask what the cluster serves: "):
            await the_neighbours(tmp_path / "kubeconfig", server.url)
