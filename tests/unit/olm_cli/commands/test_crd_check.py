from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.answering_server import AnsweringServer, Reply, write_kubeconfig
from tests.data import data_dir
from tests.definitions import LAMPS, a_definition, a_lamp, with_field
from tests.olm_command import Said, olm

STRING = {"type": "string"}
REMOVED = f"{LAMPS}:existingFieldRemoval:v1:^.spec.size"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
OBJECTS = "/apis/example.com/v1/lamps"


def a_file(folder: Path, name: str, *documents: object) -> str:
    path = folder / name
    path.write_text("\n---\n".join(json.dumps(each) for each in documents))
    return str(path)


def check(folder: Path, old: Any, new: Any, *arguments: str) -> Said:
    places = a_file(folder, "old.yaml", old), a_file(folder, "new.yaml", new)
    return olm("crd-check", *places, *arguments)


def test_crd_check_shows_what_stored_objects_would_lose(tmp_path: Path) -> None:
    lamps = a_file(tmp_path, "lamps.yaml", {"kind": "List", "items": [a_lamp("desk", size="5"), a_lamp("door")]})
    note = "1 object would lose data: shop/desk"
    assert check(tmp_path, with_field(STRING), with_field(None), "--objects", lamps) == Said(
        1,
        "lamps.example.com: blocked\n"
        "OUTCOME   VERSION   PATH          CHECK                  CHANGE                           OBJECTS\n"
        f"harms     v1        ^.spec.size   existingFieldRemoval   removed field : v1.^.spec.size   {note}\n"
        f'harms     v1        ^.spec.size   type                   type changed : "string" -> ""    {note}\n'
        f"  --accept {REMOVED}\n"
        "\n"
        "1 definition: 1 blocked\n",
    )


def test_crd_check_goes_through_when_the_loss_is_accepted(tmp_path: Path) -> None:
    lamps = a_file(tmp_path, "lamps.yaml", a_lamp("desk", size="5"))
    options = "--objects", lamps, "--accept", REMOVED, "--accept", f"{LAMPS}:scope", "-o", "json"
    said = check(tmp_path, with_field(STRING), with_field(None), *options)
    [document] = said.json
    assert (said.code, document["result"], document["failure"]) == (0, "safe", None)
    assert document["findings"][0] == {
        "id": REMOVED,
        "check": "existingFieldRemoval",
        "version": "v1",
        "path": "^.spec.size",
        "text": "removed field : v1.^.spec.size",
        "risk": "needs data",
        "outcome": "accepted",
        "note": "1 object would lose data: shop/desk",
        "objects": {"count": 1, "names": ["shop/desk"]},
    }
    assert document["findings"][1]["because"] == REMOVED
    assert document["warnings"][-1] == f'CRD "{LAMPS}": "{LAMPS}:scope" is accepted, but there is no such finding'


def test_crd_check_cannot_tell_without_objects(tmp_path: Path) -> None:
    said = check(tmp_path, with_field(STRING), with_field({**STRING, "minLength": 1}))
    hint = "unknown: it depends on stored objects; name them with --objects FILE or --objects cluster\n"
    assert (said.code, said.out.endswith(f"\n1 definition: 1 unknown\n{hint}")) == (3, True)


def test_crd_check_fails_for_breaking_changes_whatever_is_stored(tmp_path: Path) -> None:
    said = check(tmp_path, with_field(STRING), with_field({"type": "integer"}), "-o", "yaml")
    assert (said.code, "  risk: breaking\n" in said.out) == (1, True)


def test_crd_check_is_done_when_nothing_changes(tmp_path: Path) -> None:
    assert check(tmp_path, a_definition(), a_definition()) == Said(0, "1 definition: 1 safe\n")


def test_crd_check_tells_definitions_that_come_and_go(tmp_path: Path) -> None:
    other = {**a_definition(), "metadata": {"name": "shades.example.com"}}
    lamps = a_file(tmp_path, "lamps.yaml", a_lamp("desk"))
    said = check(tmp_path, a_definition(), other, "--objects", lamps, "-o", "json")
    found = {each["crd"]: (each["result"], each["failure"]) for each in said.json}
    line = "definitionRemoval: 1 object of kind Lamp would be lost (shop/desk)"
    assert found == {
        "lamps.example.com": ("blocked", f'validating upgrade for CRD "lamps.example.com": {line}'),
        "shades.example.com": ("added", None),
    }


def test_crd_check_reads_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = a_file(tmp_path, "old.yaml", a_definition())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps([a_definition()]).encode())))
    assert olm("crd-check", old, "-").code == 0


def test_crd_check_reads_standard_input_once(tmp_path: Path) -> None:
    error = "error: standard input can be one of OLD, NEW and --objects only\n"
    assert olm("crd-check", "-", "-") == Said(2, "", error)


@pytest.mark.parametrize(
    ("documents", "error"),
    [
        ([{"kind": "Lamp"}], "expected at least one CustomResourceDefinition, found none"),
        ([a_definition(), a_definition()], 'CustomResourceDefinition "lamps.example.com" is there twice'),
        ([{**a_definition(), "metadata": None}], "a CustomResourceDefinition has no name"),
    ],
)
def test_crd_check_refuses_definitions_that_are_none(tmp_path: Path, documents: list[Any], error: str) -> None:
    place = a_file(tmp_path, "old.yaml", *documents)
    assert olm("crd-check", place, place) == Said(2, "", f"error: {place}: {error}\n")


def test_crd_check_refuses_what_cannot_be_read(tmp_path: Path) -> None:
    place = a_file(tmp_path, "old.yaml", a_definition())
    (tmp_path / "broken.yaml").write_text("a: [")
    assert olm("crd-check", place, str(tmp_path / "broken.yaml")).code == 2
    missing = str(tmp_path / "nowhere.yaml")
    said = olm("crd-check", place, place, "--objects", missing)
    assert said == Said(2, "", f"error: {missing}: No such file or directory\n")


def test_crd_check_reads_directories_and_bundles(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle" / "manifests"
    bundle.mkdir(parents=True)
    a_file(bundle, "lamps.yaml", a_definition())
    (tmp_path / "plain").mkdir()
    a_file(tmp_path / "plain", "lamps.json", a_definition())
    (tmp_path / "plain" / "README.md").write_text("a: [")
    assert olm("crd-check", str(tmp_path / "plain"), str(tmp_path / "bundle")) == Said(0, "1 definition: 1 safe\n")


def test_crd_check_takes_a_bundle_without_definitions(tmp_path: Path) -> None:
    (tmp_path / "bundle" / "manifests").mkdir(parents=True)
    old = a_file(tmp_path, "old.yaml", a_definition())
    said = olm("crd-check", old, str(tmp_path / "bundle"), "-o", "json")
    line = "definitionRemoval: objects of kind Lamp would be lost, how many is not known"
    assert (said.code, said.json[0]["failure"]) == (3, f'validating upgrade for CRD "{LAMPS}": {line}')


def test_crd_check_sends_charts_to_the_renderer(tmp_path: Path) -> None:
    (tmp_path / "chart").mkdir()
    (tmp_path / "chart" / "Chart.yaml").write_text("name: lamps")
    chart, old = str(tmp_path / "chart"), a_file(tmp_path, "old.yaml", a_definition())
    hint = f"render it first, olm render {chart} -n NS > objects.yaml"
    assert olm("crd-check", old, chart) == Said(2, "", f"error: {chart} is a Helm chart: {hint}\n")


def test_crd_check_warns_of_what_it_passes_over(tmp_path: Path) -> None:
    old_api = {**a_definition(), "apiVersion": "apiextensions.k8s.io/v1beta1", "metadata": {"name": "old"}}
    place = a_file(tmp_path, "new.yaml", a_definition(), old_api)
    said = olm("crd-check", place, place, "--accept", "other.example.com:scope")
    passed = f'warning: {place}: "old" is passed over: apiextensions.k8s.io/v1beta1 is not apiextensions.k8s.io/v1\n'
    unused = f"warning: --accept other.example.com:scope: there is no such definition in {place}\n"
    assert said == Said(0, "1 definition: 1 safe\n", f"{passed}{passed}{unused}")


def of_cluster(server: AnsweringServer, folder: Path, new: Any, *arguments: str, old: str = "cluster") -> Said:
    place, config = a_file(folder, "new.yaml", new), write_kubeconfig(folder / "kubeconfig", server.url)
    return olm("crd-check", old, place, "--kubeconfig", config, *arguments, "-o", "json")


def test_crd_check_compares_with_the_cluster_page_by_page(server: AnsweringServer, tmp_path: Path) -> None:
    first = {"items": [a_lamp("desk", size="5")], "metadata": {"continue": "more", "resourceVersion": "7"}}
    second = {"items": [a_lamp("hall", size="6")], "metadata": {"resourceVersion": "7"}}
    server.replies = {
        f"{CRDS}/{LAMPS}": Reply(with_field(STRING)),
        OBJECTS: Reply(first),
        f"{OBJECTS}?limit=500&continue=more": Reply(second),
    }
    said = of_cluster(server, tmp_path, with_field(None))
    assert (said.code, said.json[0]["findings"][0]["objects"]) == (1, {"count": 2, "names": ["shop/desk", "shop/hall"]})
    assert said.err == ""


def test_crd_check_reads_no_object_when_none_matters(server: AnsweringServer, tmp_path: Path) -> None:
    server.replies = {f"{CRDS}/{LAMPS}": Reply(with_field(STRING))}
    assert of_cluster(server, tmp_path, with_field({**STRING, "nullable": True})).code == 0
    assert server.asked == [f"{CRDS}/{LAMPS}"]


def test_crd_check_finds_the_definitions_of_an_extension_that_would_go(server: AnsweringServer, tmp_path: Path) -> None:
    selector = "olm.operatorframework.io/owner-kind%3DClusterExtension,olm.operatorframework.io/owner-name%3Dlights"
    found = {"items": [a_definition()], "metadata": {"resourceVersion": "7"}}
    page = {"items": [a_lamp("desk")], "metadata": {"resourceVersion": "7"}}
    server.replies = {f"{CRDS}?labelSelector={selector}": Reply(found), OBJECTS: Reply(page)}
    other = {**a_definition(), "metadata": {"name": "shades.example.com"}}
    said = of_cluster(server, tmp_path, other, old="cluster:lights")
    assert {each["crd"]: each["result"] for each in said.json} == {LAMPS: "blocked", "shades.example.com": "added"}, (
        server.asked
    )


def test_crd_check_looks_at_objects_of_a_cluster_for_files(server: AnsweringServer, tmp_path: Path) -> None:
    old, config = (
        a_file(tmp_path, "old.yaml", with_field(STRING)),
        write_kubeconfig(tmp_path / "kubeconfig", server.url),
    )
    new = a_file(tmp_path, "new.yaml", with_field(None))
    command = "crd-check", old, new, "--objects", "cluster", "--kubeconfig", config
    server.replies = {
        f"{CRDS}/{LAMPS}": Reply({"kind": "Status", "message": "not found", "code": 404}, 404),
    }
    assert olm(*command).code == 0
    server.replies = {f"{CRDS}/{LAMPS}": Reply(a_definition())}
    said = olm(*command)
    assert (said.code, said.err.startswith(f"error: cannot list {LAMPS}: ")) == (3, True)


def test_crd_check_cannot_tell_when_the_cluster_does_not_answer(tmp_path: Path) -> None:
    place = a_file(tmp_path, "new.yaml", a_definition())
    config = write_kubeconfig(tmp_path / "kubeconfig", "http://127.0.0.1:1")
    said = olm("crd-check", "cluster", place, "--kubeconfig", config)
    assert (said.code, f'error: cannot get CustomResourceDefinition "{LAMPS}": ' in said.err) == (3, True)


@pytest.mark.data
def test_crd_check_compares_real_bundles() -> None:
    old, new = data_dir("bundles", "mongodb-enterprise", "1.25.0"), data_dir("bundles", "mongodb-kubernetes", "1.0.0")
    said = olm("crd-check", str(old), str(new), "-o", "json")
    assert (said.code, {each["crd"].partition(".")[0]: each["result"] for each in said.json}) == (
        3,
        {
            "mongodb": "unknown",
            "mongodbcommunity": "added",
            "mongodbmulticluster": "unknown",
            "mongodbusers": "safe",
            "opsmanagers": "unknown",
        },
    )


@pytest.mark.data
def test_crd_check_of_a_real_field_that_goes_names_the_object(tmp_path: Path) -> None:
    old, new = data_dir("bundles", "mongodb-enterprise", "1.25.0"), data_dir("bundles", "mongodb-kubernetes", "1.0.0")
    database = {"logLevel": "DEBUG", "members": 3, "version": "6.0.0"}
    manager = {
        "apiVersion": "mongodb.com/v1",
        "kind": "MongoDBOpsManager",
        "metadata": {"name": "ops", "namespace": "db"},
        "spec": {"version": "7.0.0", "applicationDatabase": database},
    }
    said = olm("crd-check", str(old), str(new), "--objects", a_file(tmp_path, "ops.yaml", manager), "-o", "json")
    [document] = [each for each in said.json if each["crd"] == "opsmanagers.mongodb.com"]
    harmed = {each["path"]: each["note"] for each in document["findings"] if each["outcome"] == "harms"}
    note = "1 object would lose data: db/ops"
    assert (said.code, harmed) == (1, {"^.spec.applicationDatabase.logLevel": note})
