"""Extensions that are deleted while people have objects of their kinds: nothing is lost that nobody gave up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World, condition
from tests.api.operators import CONFIRM_DELETE_CRDS, PREFIX, Operator, config_map, crd, down
from tests.charts import chart_yaml

ON_DELETE = f"extras.{PREFIX}/on-delete"
ADOPT = f"extras.{PREFIX}/adopt"
VERSION = "1.0.0"
WAY_OUT = (
    f'the deletion waits: annotate the ClusterExtension with {CONFIRM_DELETE_CRDS}: "true" to lose them, or with '
    f"{ON_DELETE}: KeepCRDs to keep them and their CRDs (Orphan: to keep everything)"
)


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An installed operator that brings a kind and one object of it; a person has made another two."""
    made = Operator(world).prepare()
    made.publish({VERSION: chart(made)})
    made.install()
    made.wait_installed(VERSION)
    made.kubectl.apply(*(thing(made, name, namespace=made.namespace) for name in ("one", "two")))
    yield made
    made.kubectl.attempt("annotate", "--overwrite", "clusterextension", made.name, f"{ON_DELETE}=Cascade")
    made.kubectl.delete("clusterextension", made.name)
    made.wait_nothing_left()
    made.kubectl.delete("crd", definition(made))
    made.forget()


def chart(operator: Operator) -> dict[str, bytes]:
    """A chart, because no bundle brings objects of its own kind."""
    group, label = f"{operator.name}.example.com", {"app": operator.name}
    pod = {"containers": [{"name": "manager", "image": f"registry.example.com/{operator.name}:v{VERSION}"}]}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": f"{operator.name}-controller"},
        "spec": {"selector": {"matchLabels": label}, "template": {"metadata": {"labels": label}, "spec": pod}},
    }
    config, brought = config_map(f"{operator.name}-config"), thing(operator, "brought")
    manifests = (crd("things", group), crd("others", group), deployment, config, brought)
    files = {f"templates/{number}.yaml": json.dumps(item).encode() for number, item in enumerate(manifests)}
    return {"Chart.yaml": chart_yaml(name=operator.name, version=VERSION), **files}


def thing(operator: Operator, name: str, **metadata: Any) -> dict[str, Any]:
    """An object of the kind; without a namespace that of the extension is used."""
    api_version = f"{operator.name}.example.com/v1"
    return {"apiVersion": api_version, "kind": "Thing", "metadata": {"name": name, **metadata}}


def definition(operator: Operator) -> str:
    return f"things.{operator.name}.example.com"


def things(operator: Operator) -> list[str]:
    """The objects of the kind; none when there is no such kind."""
    found = operator.kubectl.attempt("get", definition(operator), "-A", "-o", "name")
    return sorted(line.rpartition("/")[2] for line in found.stdout.decode().splitlines())


def held(operator: Operator) -> str:
    """What the operator has to say while its deletion is held up by both objects."""
    names = f"{operator.namespace}/one, {operator.namespace}/two"
    return f"2 objects of kind Thing would be lost ({definition(operator)}: {names})\n{WAY_OUT}"


def ask_for_deletion(operator: Operator, *flags: str) -> None:
    operator.kubectl.run("delete", "clusterextension", operator.name, "--wait=false", *flags)


def annotate(operator: Operator, annotation: str) -> None:
    operator.kubectl.run("annotate", "--overwrite", "clusterextension", operator.name, annotation)


def wait_gone(operator: Operator) -> None:
    wait_for(lambda: operator.world.extension(operator.name) is None, "the extension to be gone", timeout_s=90)


def is_untouched(operator: Operator) -> bool:
    """Whether nothing of the installation has been deleted, or is about to be."""
    sets, deployment = operator.sets(), deployment_of(operator)
    return bool(deployment) and len(sets) == 1 and "deletionTimestamp" not in sets[0]["metadata"]


def deployment_of(operator: Operator) -> dict[str, Any] | None:
    return operator.kubectl.get("deployment", f"{operator.name}-controller", operator.namespace)


def owners(found: dict[str, Any] | None) -> list[Any]:
    assert found is not None
    owned: list[Any] = found["metadata"].get("ownerReferences", [])
    return owned


def test_deletion_waits_for_the_person_and_goes_on_when_it_is_confirmed(operator: Operator) -> None:
    ask_for_deletion(operator)
    operator.wait("Progressing", status="False", reason="Blocked", message=held(operator))
    assert (is_untouched(operator), things(operator)) == (True, ["brought", "one", "two"])
    annotate(operator, f"{CONFIRM_DELETE_CRDS}=true")
    wait_gone(operator)
    operator.wait_nothing_left()
    assert operator.kubectl.get("crd", definition(operator)) is None


def test_deletion_goes_on_when_the_objects_are_gone(operator: Operator) -> None:
    ask_for_deletion(operator)
    operator.wait("Progressing", reason="Blocked", message=held(operator))
    operator.kubectl.delete(definition(operator), "one", operator.namespace)
    text = f"1 object of kind Thing would be lost ({definition(operator)}: {operator.namespace}/two)\n{WAY_OUT}"
    operator.wait("Progressing", reason="Blocked", message=text)
    operator.kubectl.delete(definition(operator), "two", operator.namespace)
    wait_gone(operator)
    operator.wait_nothing_left()


def test_deletion_is_not_held_up_without_objects(operator: Operator) -> None:
    operator.kubectl.delete(definition(operator), "one", operator.namespace)
    operator.kubectl.delete(definition(operator), "two", operator.namespace)
    ask_for_deletion(operator)
    wait_gone(operator)
    operator.wait_nothing_left()
    assert things(operator) == []


def test_choice_that_does_not_exist_deletes_nothing(operator: Operator) -> None:
    annotate(operator, f"{ON_DELETE}=keep")
    ask_for_deletion(operator)
    text = f'annotation "{ON_DELETE}": expected one of Cascade, KeepCRDs, Orphan, found "keep"'
    operator.wait("Progressing", status="False", reason="Blocked", message=text)
    assert is_untouched(operator)
    annotate(operator, f"{ON_DELETE}=Cascade")
    wait_gone(operator)
    operator.wait_nothing_left()


def test_definitions_and_their_objects_are_kept_and_can_be_taken_back(operator: Operator) -> None:
    uid = (operator.kubectl.get("crd", definition(operator)) or {})["metadata"]["uid"]
    annotate(operator, f"{ON_DELETE}=KeepCRDs")
    operator.kubectl.delete("clusterextension", operator.name)
    operator.wait_nothing_left()
    kept = operator.kubectl.get("crd", definition(operator))
    assert (owners(kept), things(operator), deployment_of(operator)) == ([], ["one", "two"], None)
    manifest = operator.manifest()
    operator.kubectl.apply({**manifest, "metadata": {"name": operator.name, "annotations": {ADOPT: "IfUnowned"}}})
    operator.wait_installed(VERSION)
    taken_back = operator.kubectl.get("crd", definition(operator)) or {}
    assert (taken_back["metadata"]["uid"], len(owners(taken_back))) == (uid, 1)
    assert things(operator) == ["brought", "one", "two"]


def refuse(operator: Operator) -> None:
    """Take the rights of the account away, and ask for what it has to do then."""
    operator.kubectl.delete("clusterrolebinding", operator.name)
    annotate(operator, f"{ON_DELETE}=KeepCRDs")
    ask_for_deletion(operator)

    def is_told() -> bool:
        found = condition(operator.world.extension(operator.name), "Progressing").get("message", "")
        return ": is to be kept, and the revision cannot let go of it: " in found

    wait_for(is_told, "the missing right to be told", timeout_s=60)
    assert deployment_of(operator) is not None


def test_definitions_are_kept_until_the_account_can_let_go_of_them(operator: Operator) -> None:
    refuse(operator)
    operator.prepare()
    wait_gone(operator)
    operator.wait_nothing_left()
    assert (owners(operator.kubectl.get("crd", definition(operator))), things(operator)) == ([], ["one", "two"])


def test_person_may_still_keep_everything_when_the_account_cannot_let_go(operator: Operator) -> None:
    refuse(operator)
    annotate(operator, f"{ON_DELETE}=Orphan")
    wait_gone(operator)
    crd, deployment = operator.kubectl.get("crd", definition(operator)), deployment_of(operator)
    assert ([owners(crd), owners(deployment)], things(operator)) == ([[], []], ["brought", "one", "two"])
    take_back(operator)


@pytest.mark.parametrize("has_rights", [pytest.param(True, id="by the account"), pytest.param(False, id="without it")])
def test_everything_is_kept(operator: Operator, has_rights: bool) -> None:
    if not has_rights:
        operator.kubectl.delete("serviceaccount", "installer", operator.namespace)
    annotate(operator, f"{ON_DELETE}=Orphan")
    ask_for_deletion(operator)
    wait_gone(operator)
    wait_for(lambda: not operator.secrets(), "the content of the revisions to be gone")
    assert operator.sets() == []
    crd, config = definition(operator), f"{operator.name}-config"
    found = [
        operator.kubectl.get("crd", crd),
        operator.kubectl.get("configmap", config, operator.namespace),
        deployment_of(operator),
    ]
    assert ([owners(each) for each in found], things(operator)) == ([[], [], []], ["brought", "one", "two"])
    take_back(operator)


def take_back(operator: Operator) -> None:
    """Install the extension again, which takes over what it left."""
    operator.prepare()
    manifest = operator.manifest()
    operator.kubectl.apply({**manifest, "metadata": {"name": operator.name, "annotations": {ADOPT: "IfUnowned"}}})
    operator.wait_installed(VERSION)


def test_deletion_in_the_foreground_is_refused_unless_everything_is_given_up(operator: Operator) -> None:
    refused = operator.kubectl.attempt("delete", "clusterextension", operator.name, "--cascade=foreground")
    text = (
        f'ClusterExtension "{operator.name}" is not deleted in the foreground: garbage collection would take its CRDs, '
        "and every object of their kinds, before anybody can keep them. Leave the foreground out: the extension stays "
        "until its objects are gone anyway. Or give them up: kubectl annotate clusterextension "
        f"{operator.name} {ON_DELETE}=Cascade\n"
    )
    said = refused.stderr.decode()
    assert (refused.returncode, said.endswith(f" denied request: {text}"), is_untouched(operator)) == (1, True, True)
    annotate(operator, f"{ON_DELETE}=Cascade")
    ask_for_deletion(operator, "--cascade=foreground")
    wait_gone(operator)
    operator.wait_nothing_left()


def test_revision_that_is_deleted_meanwhile_waits_too_and_needs_no_content(operator: Operator) -> None:
    ask_for_deletion(operator)
    operator.wait("Progressing", status="False", reason="Blocked", message=held(operator))
    with down(operator.world.components.operator_controller):
        (secret,) = operator.secrets()
        operator.kubectl.delete("secret", secret["metadata"]["name"], "olmv1-system")
        operator.kubectl.delete("clusterobjectset", f"{operator.name}-1", wait=False)
    text = f'ClusterExtension "{operator.name}" is being deleted, and it is not decided yet what becomes of its objects'
    operator.wait_set(1, "Progressing", status="True", reason="Retrying", message=text)
    assert (deployment_of(operator) is not None, things(operator)) == (True, ["brought", "one", "two"])
    annotate(operator, f"{ON_DELETE}=KeepCRDs")
    wait_gone(operator)
    operator.wait_nothing_left()
    assert (owners(operator.kubectl.get("crd", definition(operator))), things(operator)) == ([], ["one", "two"])
