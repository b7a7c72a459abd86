"""The catalogs of a cluster, behind its API server and at catalogd's own address."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.answering_server import AnsweringServer, Reply, a_status, write_kubeconfig
from tests.olm_command import Said, a_blob, olm

LIST = "/apis/olm.operatorframework.io/v1/clustercatalogs"
PROXY = "/api/v1/namespaces/olmv1-system/services/https:catalogd-service:443/proxy"
INSIDE = "https://catalogd-service.olmv1-system.svc"

LAMP = a_blob("olm.package", "lamp", defaultChannel="stable")
STABLE = a_blob("olm.channel", "stable", "lamp", entries=[{"name": "lamp.v1.0.0"}])
BUNDLE = a_blob("olm.bundle", "lamp.v1.0.0", "lamp")


def a_catalog(name: str, *, base: str = INSIDE, serving: str = "True", **spec: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": name},
        "spec": spec,
        "status": {
            "conditions": [{"type": "Serving", "status": serving}],
            "urls": {"base": f"{base}/catalogs/{name}"},
        },
    }


def serve(server: AnsweringServer, *catalogs: dict[str, Any]) -> None:
    server.replies[LIST] = Reply({"metadata": {"resourceVersion": "1"}, "items": list(catalogs)})


def lines(*blobs: dict[str, Any], etag: str = '"1"') -> Reply:
    return Reply("".join(json.dumps(blob) + "\n" for blob in blobs).encode(), headers={"ETag": etag})


def serve_lamp(server: AnsweringServer, at: str) -> None:
    metas = f"{at}/api/v1/metas?"
    server.replies |= {
        f"{metas}schema=olm.package&name=lamp": lines(LAMP),
        f"{metas}package=lamp": lines(STABLE, BUNDLE),
        f"{metas}schema=olm.package": lines(LAMP),
        f"{metas}schema=olm.channel": lines(STABLE),
        f"{metas}schema=olm.deprecations": lines(),
        f"{metas}schema=olm.package&name=x": lines(),
        f"{metas}package=x": lines(),
    }


def resolve(kubeconfig: str, *options: str, package: str = "lamp") -> Said:
    return olm("resolve", "-p", package, "--kubeconfig", kubeconfig, "-o", "json", *options)


def test_catalogs_are_read_through_the_service_proxy(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    serve_lamp(server, f"{PROXY}/catalogs/lights")
    said = resolve(kubeconfig)
    assert (said.code, said.json["bundle"], said.json["catalog"]) == (0, "lamp.v1.0.0", "lights")


def test_catalogs_are_read_at_the_address_that_catalogd_gives(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights", base=server.url))
    serve_lamp(server, "/catalogs/lights")
    assert resolve(kubeconfig).json["bundle"] == "lamp.v1.0.0"


def test_catalogs_are_read_at_the_address_that_the_user_gives(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    serve_lamp(server, "/catalogs/lights")
    assert resolve(kubeconfig, "--catalogd-url", server.url + "/").json["bundle"] == "lamp.v1.0.0"


def test_context_is_chosen_by_name(server: AnsweringServer, tmp_path: Path) -> None:
    serve(server)
    path = write_kubeconfig(tmp_path / "two", server.url, contexts=("main", "other"))
    said = olm("catalog", "show", "--kubeconfig", path, "--context", "other")
    nothing = "the cluster has no ClusterCatalogs: create one, or name catalogs with --catalog DIR|FILE|IMAGE"
    assert said == Said(0, "", f"{nothing}\n")
    one = olm("catalog", "show", "lamp", "--kubeconfig", path)
    error = 'error: package "lamp" is nowhere: there is no catalog to look into'
    assert one == Said(1, "", f"{nothing}\n{error}\n")


def test_unknown_context_is_named(kubeconfig: str) -> None:
    said = olm("status", "--kubeconfig", kubeconfig, "--context", "mian")
    assert (said.code, said.out) == (2, "")
    assert "Expected object with name mian" in said.err


def test_listing_needs_no_bundles(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    serve_lamp(server, f"{PROXY}/catalogs/lights")
    said = olm("catalog", "show", "--kubeconfig", kubeconfig, "-o", "json")
    assert [(each["package"], each["channels"]) for each in said.json] == [("lamp", ["stable"])]


def test_unknown_package_is_compared_with_those_of_the_cluster(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    at = f"{PROXY}/catalogs/lights/api/v1/metas?"
    serve_lamp(server, f"{PROXY}/catalogs/lights")
    server.replies |= {f"{at}schema=olm.package&name=lamps": lines(), f"{at}package=lamps": lines()}
    said = olm("catalog", "show", "lamps", "--kubeconfig", kubeconfig)
    error = 'package "lamps" is in none of the catalogs [lights]; did you mean "lamp"?'
    assert said == Said(1, "", f"error: {error}\n")


def test_whole_catalog_is_read_where_metas_is_off(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    whole = "".join(json.dumps(blob) + "\n" for blob in (LAMP, STABLE, BUNDLE)).encode()
    packed = Reply(gzip.compress(whole), headers={"ETag": '"1"', "Content-Encoding": "gzip"})
    server.replies[f"{PROXY}/catalogs/lights/api/v1/all"] = packed
    assert resolve(kubeconfig).json["bundle"] == "lamp.v1.0.0"
    assert [each["package"] for each in olm("catalog", "show", "--kubeconfig", kubeconfig, "-o", "json").json] == [
        "lamp"
    ]


def test_catalog_that_changes_while_it_is_read_is_read_again(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    serve_lamp(server, f"{PROXY}/catalogs/lights")
    newer = lines(STABLE, BUNDLE, etag='"2"')
    server.replies[f"{PROXY}/catalogs/lights/api/v1/metas?package=lamp"] = [newer, lines(STABLE, BUNDLE)]
    assert resolve(kubeconfig).json["bundle"] == "lamp.v1.0.0"


def test_priorities_of_the_cluster_decide(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("low"), a_catalog("high", priority=5))
    for name in ("low", "high"):
        serve_lamp(server, f"{PROXY}/catalogs/{name}")
    assert resolve(kubeconfig).json["catalog"] == "high"


def test_catalogs_that_are_off_do_not_count(server: AnsweringServer, kubeconfig: str) -> None:
    off = a_catalog("off", availabilityMode="Unavailable")
    going = a_catalog("going")
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    serve(server, off, going)
    said = resolve(kubeconfig)
    assert (said.code, said.json["error"]) == (1, 'no bundles found for package "lamp"')
    assert said.err == "every ClusterCatalog of the cluster (2) is Unavailable or being deleted\n"


def test_catalog_that_is_not_served_leaves_the_answer_open(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights", serving="False"))
    said = resolve(kubeconfig)
    error = 'error getting package "lamp" from catalog "lights": catalog "lights" is not being served'
    assert (said.code, said.json) == (3, {"error": f"error walking catalogs: {error}", "reason": "Retrying"})


def test_show_warns_about_a_catalog_that_is_not_served(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("down", serving="False"), a_catalog("lights"))
    serve_lamp(server, f"{PROXY}/catalogs/lights")
    said = olm("catalog", "show", "lamp", "--kubeconfig", kubeconfig, "-o", "json")
    assert (said.code, said.err) == (0, 'warning: catalog "down" is not being served\n')
    missing = olm("catalog", "show", "x", "--kubeconfig", kubeconfig)
    assert missing == Said(3, "", 'error: catalog "down" is not being served\n')


def test_nothing_readable_leaves_the_list_open(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("down", serving="False"))
    said = olm("catalog", "show", "--kubeconfig", kubeconfig)
    warning = 'warning: catalog "down" is not being served\n'
    assert said == Said(3, "", f"{warning}error: none of the catalogs could be read\n")


@pytest.mark.parametrize("at", ["inside", "outside"])
def test_content_that_catalogd_does_not_have_yet(server: AnsweringServer, kubeconfig: str, at: str) -> None:
    serve(server, a_catalog("lights", base=server.url if at == "outside" else INSIDE))
    path = f"{PROXY * (at == 'inside')}/catalogs/lights/api/v1/metas?schema=olm.package&name=lamp"
    server.replies[path] = Reply(b"404 Not Found\n", 404)
    said = olm("catalog", "show", "lamp", "--kubeconfig", kubeconfig)
    error = 'error retrieving cache for catalog "lights": catalogd does not have its content yet'
    assert said == Said(3, "", f"error: {error}\n")


def test_missing_right_on_the_proxy_says_what_to_ask_for(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    path = f"{PROXY}/catalogs/lights/api/v1/metas?schema=olm.package&name=lamp"
    server.replies[path] = a_status(403, "Forbidden", "services is forbidden")
    said = olm("catalog", "show", "lamp", "--kubeconfig", kubeconfig)
    advice = "ask for get on services/proxy of catalogd, or go around the API server with --catalogd-url"
    error = f'error retrieving cache for catalog "lights": services is forbidden; {advice}'
    assert said == Said(3, "", f"error: {error}\n")


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        pytest.param(
            None,
            "the cluster does not know ClusterCatalog (olm.operatorframework.io/v1): install OLM v1 on it first",
            id="no CRD",
        ),
        pytest.param(
            a_status(403, "Forbidden", "clustercatalogs is forbidden"),
            "cannot list clustercatalogs: clustercatalogs is forbidden; ask for the ClusterRole "
            "operator-controller-clusterextension-viewer-role",
            id="no right",
        ),
        pytest.param(
            a_status(401, "Unauthorized", "Unauthorized"),
            "cannot list clustercatalogs: Unauthorized; log in again, or choose another --context",
            id="no login",
        ),
        pytest.param(
            a_status(500, "InternalError", "etcd is away"), "cannot list clustercatalogs: etcd is away", id="ill"
        ),
    ],
)
def test_cluster_that_does_not_list_its_catalogs(
    server: AnsweringServer, kubeconfig: str, reply: Reply | None, error: str
) -> None:
    if reply is not None:
        server.replies[LIST] = reply
    assert olm("catalog", "show", "--kubeconfig", kubeconfig) == Said(3, "", f"error: {error}\n")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ["--catalogd-url", "localhost:8443"],
            "--catalogd-url localhost:8443: expected a URL such as https://localhost:8443",
        ),
        (
            ["--catalogd-url", "https://localhost:8443", "--catalogd-cas-dir", "/nope"],
            '--catalogd-cas-dir: cannot read CA folder "/nope": No such file or directory',
        ),
    ],
)
def test_wrong_catalogd_options_are_named(
    server: AnsweringServer, kubeconfig: str, options: list[str], error: str
) -> None:
    serve(server, a_catalog("lights"))
    assert resolve(kubeconfig, *options) == Said(2, "", f"error: {error}\n")


def test_catalogd_that_is_away_is_named(server: AnsweringServer, kubeconfig: str) -> None:
    serve(server, a_catalog("lights"))
    said = olm("catalog", "show", "lamp", "--kubeconfig", kubeconfig, "--catalogd-url", "http://127.0.0.1:1")
    error = 'error retrieving cache for catalog "lights": http://127.0.0.1:1: connection refused'
    assert said == Said(3, "", f"error: {error}\n")


def test_missing_kubeconfig_says_what_to_do(tmp_path: Path) -> None:
    path = str(tmp_path / "nope")
    error = f"cannot load the Kubernetes configuration: expected a kubeconfig, found no file {path}"
    advice = "name a cluster with --kubeconfig FILE and --context NAME"
    assert olm("status", "--kubeconfig", path) == Said(2, "", f"error: {error}; {advice}\n")
    catalogs = f"error: {error}; {advice}, or catalogs with --catalog DIR|FILE|IMAGE\n"
    assert olm("catalog", "show", "--kubeconfig", path, "--context", "x") == Said(2, "", catalogs)
