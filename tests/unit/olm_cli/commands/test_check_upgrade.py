from __future__ import annotations

import gzip
import json
import shutil
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.answering_server import AnsweringServer, Reply, a_status, answering_server, write_kubeconfig
from tests.builders import an_extension, an_object_set
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog

OLM = "/apis/olm.operatorframework.io/v1"
OPENSHIFT = "/apis/config.openshift.io/v1"
CLUSTER_VERSION = f"{OPENSHIFT}/clusterversions/version"
SAMPLE = Path(LIGHTS).parents[1] / "bundles" / "lantern-operator" / "1.0.1"
CRON = {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "nightly", "namespace": "shop"}}
GONE = "CronJob.batch/v1beta1 shop/nightly: not served by Kubernetes 1.25 and later, use batch/v1"


def a_revision(maximum: str | None = "4.18", *objects: Mapping[str, Any]) -> dict[str, Any]:
    listed = [] if maximum is None else [{"type": "olm.maxOpenShiftVersion", "value": maximum}]
    annotations = {
        "olm.operatorframework.io/bundle-name": "lantern.v1.0.0",
        "olm.operatorframework.io/bundle-version": "1.0.0",
        "olm.properties": json.dumps(listed),
    }
    conditions = [{"type": "Succeeded", "status": "True"}]
    phases = [{"name": "deploy", "objects": list(objects)}] if objects else []
    made = an_object_set(conditions=conditions, annotations=annotations, phases=phases)
    made["metadata"]["labels"]["olm.operatorframework.io/owner-kind"] = "ClusterExtension"
    return made


def a_cluster_version(version: str = "4.18.9") -> dict[str, Any]:
    status = {"history": [{"state": "Completed", "version": version}]}
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterVersion",
        "metadata": {"name": "version"},
        "status": status,
    }


def a_list(*items: Mapping[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "List", "items": list(items)}


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    entries = [{"name": "lantern.v1.0.0"}, {"name": "lantern.v1.1.0", "replaces": "lantern.v1.0.0"}]
    return write_catalog(
        tmp_path / "lights",
        a_blob("olm.package", "lantern", defaultChannel="stable"),
        a_blob("olm.channel", "stable", "lantern", entries=entries),
        a_blob("olm.bundle", "lantern.v1.0.0", "lantern"),
        a_blob("olm.bundle", "lantern.v1.1.0", "lantern"),
    )


def dumped(folder: Path, *items: Mapping[str, Any], options: tuple[str, ...] = ()) -> Said:
    path = folder / "dump.json"
    path.write_text(json.dumps(a_list(*items)))
    return olm("check-upgrade", "--from-dump", str(path), *options)


def test_check_upgrade_of_a_dump_names_the_way_out(tmp_path: Path, catalog: str) -> None:
    options = ("--catalog", catalog, "-o", "json")
    said = dumped(tmp_path, a_cluster_version(), an_extension(), a_revision(), options=options)
    [extension] = said.json["extensions"]
    assert (said.code, said.err, said.json["current"], said.json["target"], said.json["upgradeable"]) == (
        1,
        "",
        "4.18",
        "4.19",
        False,
    )
    found = extension["wayOut"]
    assert {key: found[key] for key in ("isAllowed", "bundle", "catalog", "channel", "max", "changes")} == {
        "isAllowed": True,
        "bundle": "lantern.v1.1.0",
        "catalog": "lights",
        "channel": "stable",
        "max": "",
        "changes": [],
    }


@pytest.mark.parametrize(
    ("items", "options", "code"),
    [
        pytest.param((a_cluster_version("4.17.0"), an_extension(), a_revision()), (), 0, id="allowed"),
        pytest.param((a_cluster_version(), an_extension(), a_revision()), (), 1, id="blocked"),
        pytest.param((a_cluster_version(), an_extension(), a_revision()), ("--target", "4.17"), 2, id="back"),
        pytest.param((an_extension(), a_revision()), (), 3, id="no version"),
        pytest.param((an_extension(), a_revision()), ("--target", "4.19"), 1, id="target only"),
        pytest.param((an_extension(), a_revision(None, {"object": CRON})), ("--target", "4.19"), 0, id="advice"),
        pytest.param(
            (an_extension(), a_revision(None, {"object": CRON})), ("--target", "4.19", "--strict"), 1, id="strict"
        ),
        pytest.param((a_cluster_version(),), (), 0, id="no extensions"),
    ],
)
def test_check_upgrade_exit_code(
    tmp_path: Path, items: tuple[Mapping[str, Any], ...], options: tuple[str, ...], code: int
) -> None:
    assert dumped(tmp_path, *items, options=options).code == code


def test_check_upgrade_is_3_when_nothing_is_recorded(tmp_path: Path) -> None:
    installed = {"install": {"bundle": {"name": "lantern.v1.0.0", "version": "1.0.0"}}}
    said = dumped(tmp_path, a_cluster_version(), {**an_extension(), "status": installed})
    assert (said.code, said.out.splitlines()[0]) == (
        3,
        "OpenShift 4.18 to 4.19: cannot tell, because 1 of 1 extension cannot be judged",
    )


def a_secret(name: str, key: str, content: bytes) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "olmv1-system"}
    data = {key: b64encode(content).decode()}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "immutable": True, "data": data}


def test_check_upgrade_finds_objects_in_the_secrets_of_a_dump(tmp_path: Path) -> None:
    secret = a_secret("lantern-1-0", "k", gzip.compress(json.dumps(CRON).encode()))
    revision = a_revision(None, {"ref": {"name": "lantern-1-0", "key": "k"}})
    options = ("--target", "kubernetes=1.36", "-o", "json")
    found = dumped(tmp_path, an_extension(), revision, secret, options=options).json["extensions"][0]
    assert found["advisories"] == [{"kind": "RemovedKubernetesApi", "message": GONE}]
    missing = dumped(tmp_path, an_extension(), revision, options=options)
    text = 'resolving ref in phase "deploy": the dump has no Secret olmv1-system/lantern-1-0'
    assert (missing.code, missing.json["extensions"][0]["unchecked"]) == (3, [f"removed Kubernetes APIs: {text}"])


def test_check_upgrade_reads_every_file_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sets.yaml").write_text(f"---\n{json.dumps(a_revision())}\n---\n{json.dumps(an_extension())}")
    (tmp_path / "version.json").write_text(json.dumps(a_cluster_version()))
    (tmp_path / "notes.txt").write_text("}")
    assert olm("check-upgrade", "--from-dump", str(tmp_path)).code == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected ClusterExtensions, ClusterObjectSets or a ClusterVersion, found none"),
        (
            json.dumps({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterObjectSet"}),
            'ClusterObjectSet "": expected spec.revision and spec.lifecycleState',
        ),
    ],
)
def test_check_upgrade_refuses_a_dump_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "dump.yaml"
    path.write_text(text)
    expected = Said(2, "", f"error: --from-dump {path}: {message}\n")
    assert olm("check-upgrade", "--from-dump", str(path)) == expected


def test_check_upgrade_refuses_a_dump_that_is_not_there() -> None:
    assert olm("check-upgrade", "--from-dump", "/no/such").err == (
        "error: --from-dump /no/such: No such file or directory\n"
    )


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering_server() as running:
        running.replies[OPENSHIFT] = Reply({"kind": "APIResourceList", "resources": []})
        running.replies["/version"] = Reply({"gitVersion": "v1.31.2"})
        for plural in ("clusterextensions", "clusterobjectsets", "clustercatalogs"):
            running.replies[f"{OLM}/{plural}"] = Reply({"metadata": {"resourceVersion": "1"}, "items": []})
        yield running


def living(server: AnsweringServer, folder: Path, *options: str) -> Said:
    kubeconfig = write_kubeconfig(folder / "kubeconfig", server.url)
    return olm("check-upgrade", "--kubeconfig", kubeconfig, *options)


def test_check_upgrade_asks_the_cluster(server: AnsweringServer, tmp_path: Path, catalog: str) -> None:
    server.replies[CLUSTER_VERSION] = Reply(a_cluster_version())
    for plural, item in (("clusterextensions", an_extension()), ("clusterobjectsets", a_revision())):
        server.replies[f"{OLM}/{plural}"] = Reply({"metadata": {"resourceVersion": "1"}, "items": [item]})
    said = living(server, tmp_path, "--catalog", catalog)
    assert (said.code, said.err, said.out.splitlines()[0]) == (
        1,
        "",
        "OpenShift 4.18 to 4.19: blocked by 1 of 1 extension",
    )
    assert "way out: lantern.v1.1.0 (declares no maximum) of catalog lights, channel stable" in said.out


def test_check_upgrade_of_a_cluster_without_openshift_asks_about_kubernetes(
    server: AnsweringServer, tmp_path: Path
) -> None:
    server.replies[OPENSHIFT] = a_status(404, "NotFound", "not found")
    server.replies[CLUSTER_VERSION] = a_status(403, "Forbidden", "no")
    assert living(server, tmp_path) == Said(0, "Kubernetes 1.31 to 1.32: may be upgraded\n", "")


def test_check_upgrade_is_3_when_the_cluster_refuses(server: AnsweringServer, tmp_path: Path) -> None:
    server.replies[CLUSTER_VERSION] = a_status(403, "Forbidden", "no")
    said = living(server, tmp_path)
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("error: cannot read the ClusterVersion: ")


def a_bundle_dir(folder: Path, maximum: str) -> Path:
    """The sample bundle, with a maximum."""
    shutil.copytree(SAMPLE, folder)
    declared = {"properties": [{"type": "olm.maxOpenShiftVersion", "value": maximum}]}
    (folder / "metadata" / "properties.yaml").write_text(json.dumps(declared))
    return folder


def test_check_upgrade_judges_bundle_directories(tmp_path: Path) -> None:
    folder = str(a_bundle_dir(tmp_path / "bundle", "4.19"))
    assert olm("check-upgrade", "--bundle-dir", folder, "--target", "4.19").code == 0
    assert olm("check-upgrade", "--bundle-dir", folder).code == 3
    said = olm("check-upgrade", "--bundle-dir", folder, "--target", "4.20", "--catalog", LIGHTS)
    assert (said.code, said.err, said.out.splitlines()[2:4]) == (
        1,
        "",
        [
            "EXTENSION                 BUNDLE                    MAX    VERDICT   HINT",
            "lantern-operator.v1.0.1   lantern-operator.v1.0.1   4.19   BLOCKED   upgrade to 1.2.0, or remove it",
        ],
    )


def test_check_upgrade_refuses_what_is_no_bundle_directory(tmp_path: Path) -> None:
    said = olm("check-upgrade", "--bundle-dir", str(tmp_path), "--target", "4.19")
    assert (said.code, said.out, said.err.startswith(f"error: --bundle-dir {tmp_path}: ")) == (2, "", True)
    both = olm("check-upgrade", "--bundle-dir", str(tmp_path), "--from-dump", "-")
    assert both == Said(2, "", "error: --bundle-dir and --from-dump exclude each other: drop one of them\n")
