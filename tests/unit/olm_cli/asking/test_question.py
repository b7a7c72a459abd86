from __future__ import annotations

from pathlib import Path

import pytest

from tests.answering_server import AnsweringServer, Reply, write_kubeconfig
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog

CATALOGS = "/apis/olm.operatorframework.io/v1/clustercatalogs"


@pytest.fixture
def demanding(tmp_path: Path) -> str:
    """lamp 1.0.0 runs on every Kubernetes, 2.0.0 needs 1.35."""
    old, new = (a_blob("olm.bundle", f"lamp.v{version}", "lamp") for version in ("1.0.0", "2.0.0"))
    new["properties"].append({"type": "olm.csv.metadata", "value": {"minKubeVersion": "1.35.0"}})
    channel = a_blob("olm.channel", "stable", "lamp", entries=[{"name": "lamp.v1.0.0"}, {"name": "lamp.v2.0.0"}])
    return write_catalog(tmp_path / "cat", channel, old, new)


@pytest.mark.parametrize(
    ("options", "version"),
    [
        pytest.param([], "2.0.0", id="unknown"),
        pytest.param(["--kube-version", "v1.34.2"], "1.0.0", id="too old"),
        pytest.param(["--kube-version", "1.36.3"], "2.0.0", id="new enough"),
    ],
)
def test_kubernetes_version_may_be_named(demanding: str, options: list[str], version: str) -> None:
    said = olm("resolve", "lamp", "--catalog", demanding, "-o", "json", *options)
    assert (said.code, said.json["version"]) == (0, version)


@pytest.mark.parametrize(
    ("reply", "version"),
    [
        pytest.param(Reply({"gitVersion": "v1.36.3"}), "1.36.3", id="told"),
        pytest.param(Reply({"gitVersion": 1}), None, id="nonsense"),
        pytest.param(Reply(b"", 403), None, id="refused"),
    ],
)
def test_cluster_is_asked_for_its_version_and_may_keep_it(
    server: AnsweringServer, tmp_path: Path, reply: Reply, version: str | None
) -> None:
    kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", server.url)
    server.replies |= {
        CATALOGS: Reply({"metadata": {"resourceVersion": "1"}, "items": [{"metadata": {"name": "a"}, "spec": {}}]}),
        "/version": reply,
    }
    said = olm("explain", "-p", "lamp", "--kubeconfig", kubeconfig, "-o", "json")
    assert (said.code, said.json["request"]["kubeVersion"]) == (3, version)


def test_named_catalogs_need_no_cluster() -> None:
    said = olm("resolve", "lantern-operator", "--catalog", LIGHTS, "--kubeconfig", "/nowhere", "-o", "json")
    assert said.json["version"] == "2.0.0"


def test_package_is_named_once() -> None:
    assert olm("resolve") == Said(2, "", "error: which package? name it: olm resolve PACKAGE\n")
    error = 'two packages are named, "a" and "b": drop one of them'
    assert olm("resolve", "a", "-p", "b") == Said(2, "", f"error: {error}\n")
