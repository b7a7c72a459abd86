from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.answering_server import AnsweringServer, Reply, write_kubeconfig
from tests.olm_command import LIGHTS, Said, a_blob, olm, write_catalog

OLDER = LIGHTS.replace("lights-2", "lights-1")
UP = ("simulate", "--from", f"lights={OLDER}", "--to", LIGHTS)


def an_extension(name: str, installed: str | None = None, **catalog: Any) -> dict[str, Any]:
    source = {"packageName": "lantern-operator", **catalog}
    ext: dict[str, Any] = {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": {"name": name},
        "spec": {
            "namespace": "lights",
            "serviceAccount": {"name": "installer"},
            "source": {"sourceType": "Catalog", "catalog": source},
        },
    }
    if installed:
        bundle = {"name": f"lantern-operator.v{installed}", "version": installed}
        ext["status"] = {"install": {"bundle": bundle, "catalog": "lights"}}
    return ext


def a_file(folder: Path, *documents: object) -> str:
    path = folder / "extensions.yaml"
    path.write_text("\n---\n".join(json.dumps(each) for each in documents))
    return str(path)


def verdicts(said: Said) -> dict[str, str]:
    return {each["name"]: each["verdict"] for each in said.json}


def test_simulate_shows_upgrades_and_deprecations(tmp_path: Path) -> None:
    place = a_file(tmp_path, an_extension("lantern", "1.0.1"), an_extension("pinned", "1.0.0", version="1.0.0"))
    assert olm(*UP, "--extensions", place) == Said(
        0,
        "NAME      PACKAGE            INSTALLED   OUTLOOK     THEN           DEPRECATED\n"
        "lantern   lantern-operator   1.0.1       Upgrade     1.2.0, 2.0.0\n"
        "pinned    lantern-operator   1.0.0       Unchanged                  becomes deprecated\n"
        "\n"
        "pinned\n"
        "  deprecated: lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later.\n"
        "\n"
        "2 extensions: 1 unchanged, 1 upgrade\n",
    )


def test_simulate_fails_when_an_extension_is_stranded(tmp_path: Path) -> None:
    place = a_file(tmp_path, an_extension("ahead", "1.2.0"), an_extension("free", "1.0.1"))
    said = olm("simulate", "--from", LIGHTS, "--to", OLDER, "--extensions", place, "-o", "json")
    assert (said.code, verdicts(said)) == (1, {"ahead": "Stranded", "free": "Unchanged"})
    text = olm("simulate", "--from", LIGHTS, "--to", OLDER, "--extensions", place).out
    error = 'error upgrading from currently installed version "1.2.0": no bundles found for package "lantern-operator"'
    assert text.splitlines()[1].split()[:4] == ["ahead", "lantern-operator", "1.2.0", "Stranded"]
    assert f"\nahead\n  {error}\n  " in text
    assert text.endswith("2 extensions: 1 unchanged, 1 stranded\n")


def test_simulate_says_a_reason_once(tmp_path: Path) -> None:
    said = olm(*UP, "--extensions", a_file(tmp_path, an_extension("odd", version="foo")))
    assert (said.code, said.out.count('desired version range "foo" is invalid')) == (1, 1)


def test_simulate_reads_lists_and_passes_over_other_kinds(tmp_path: Path) -> None:
    other = {"kind": "Namespace", "metadata": {"name": "lights"}}
    in_list = {"kind": "List", "items": [an_extension("b", "1.0.1"), other]}
    place = a_file(tmp_path, other, [an_extension("a", "1.0.1")], in_list)
    said = olm(*UP, "--extensions", place, "-o", "json")
    assert (said.code, verdicts(said)) == (0, {"a": "Upgrade", "b": "Upgrade"})


def test_simulate_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.dumps(an_extension("lantern", "1.0.1")).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert verdicts(olm(*UP, "--extensions", "-", "-o", "json")) == {"lantern": "Upgrade"}


@pytest.mark.parametrize(
    ("documents", "finding"),
    [
        pytest.param([{"kind": "Namespace"}], "expected at least one ClusterExtension, found none", id="none"),
        pytest.param([an_extension("a"), an_extension("a")], 'ClusterExtension "a" is there twice', id="twice"),
        pytest.param([an_extension("a", selector={"matchLabels": 1})], 'ClusterExtension "a" is invalid: ', id="bad"),
    ],
)
def test_simulate_refuses_extensions_that_are_none(tmp_path: Path, documents: list[object], finding: str) -> None:
    said = olm(*UP, "--extensions", a_file(tmp_path, *documents))
    assert said.code == 2
    assert finding in said.err


@pytest.mark.parametrize(
    ("options", "finding"),
    [
        (("--extensions", "/nowhere.yaml"), "error: --extensions /nowhere.yaml: No such file or directory\n"),
        (("--kube-version", "new"), 'error: --kube-version new: expected a version such as 1.30.2, found "new"\n'),
    ],
)
def test_simulate_refuses_bad_input(options: tuple[str, ...], finding: str) -> None:
    assert olm(*UP, *options) == Said(2, "", finding)


def test_simulate_refuses_what_is_no_yaml(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [")
    said = olm(*UP, "--extensions", str(tmp_path / "broken.yaml"))
    assert (said.code, said.err.startswith(f"error: --extensions {tmp_path / 'broken.yaml'}: ")) == (2, True)


def test_simulate_refuses_a_catalogd(tmp_path: Path) -> None:
    place = a_file(tmp_path, an_extension("a"))
    said = olm(*UP, "--extensions", place, "--catalogd-url", "http://127.0.0.1:1")
    assert (said.code, "name them with --from and --to" in said.err) == (2, True)


def test_simulate_tells_of_a_catalog_that_stays_and_takes_over(tmp_path: Path) -> None:
    place = a_file(tmp_path, an_extension("lantern", "1.0.1"))
    empty = write_catalog(tmp_path / "empty", {"schema": "olm.package", "name": "other", "defaultChannel": "a"})
    command = ("simulate", "--from", f"lights={OLDER}", "--to", empty, "--catalog", f"stay={LIGHTS}")
    said = olm(*command, "--extensions", place, "-o", "json")
    assert said.json[0]["catalogMove"] == {"from": "lights", "to": "stay"}
    assert "comes from catalog stay instead of lights\n" in olm(*command, "--extensions", place).out


def test_simulate_matches_selectors_by_the_name_of_the_catalog(tmp_path: Path) -> None:
    def selecting(name: str) -> dict[str, Any]:
        labels = {"olm.operatorframework.io/metadata.name": name, "tier": "gold"}
        return an_extension(name, "1.0.1", selector={"matchLabels": labels})

    said = olm(*UP, "--extensions", a_file(tmp_path, selecting("lights"), selecting("lamps")), "-o", "json")
    assert verdicts(said) == {"lamps": "Unconcerned", "lights": "Upgrade"}


def test_simulate_holds_back_what_needs_a_newer_kubernetes(tmp_path: Path) -> None:
    bundle = a_blob("olm.bundle", "lantern-operator.v3.0.0", "lantern-operator")
    bundle["properties"].append({"type": "olm.csv.metadata", "value": {"minKubeVersion": "1.31.0"}})
    channel = a_blob(
        "olm.channel", "stable", "lantern-operator", entries=[{"name": bundle["name"], "skipRange": "<3.0.0"}]
    )
    command = ("simulate", "--from", LIGHTS, "--to", write_catalog(tmp_path / "new", bundle, channel))
    place = a_file(tmp_path, an_extension("lantern", "2.0.0"))
    codes = {
        version: olm(*command, "--extensions", place, "--kube-version", version).code for version in ("1.30.1", "v1.31")
    }
    assert codes == {"1.30.1": 1, "v1.31": 0}


def test_simulate_asks_the_cluster_for_its_extensions(server: AnsweringServer, tmp_path: Path) -> None:
    items = [an_extension("lantern", "1.0.1")]
    path = "/apis/olm.operatorframework.io/v1/clusterextensions"
    server.replies[path] = Reply({"metadata": {"resourceVersion": "1"}, "items": items})
    server.replies["/version"] = Reply({"gitVersion": "v1.36.0"})
    kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", server.url)
    said = olm(*UP, "--kubeconfig", kubeconfig, "-o", "json")
    assert (said.code, verdicts(said)) == (0, {"lantern": "Upgrade"})


def test_simulate_cannot_tell_when_the_cluster_refuses(server: AnsweringServer, tmp_path: Path) -> None:
    path = "/apis/olm.operatorframework.io/v1/clusterextensions"
    server.replies[path] = Reply({"kind": "Status", "code": 403, "reason": "Forbidden", "message": "no"}, 403)
    said = olm(*UP, "--kubeconfig", write_kubeconfig(tmp_path / "kubeconfig", server.url))
    assert (said.code, said.err.startswith("error: cannot list clusterextensions: ")) == (3, True)
