"""Who may name which account: what real users are told by the policies of `config/admission`, on the API server."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.binaries import PROJECT_DIR
from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.kubeconfig import certificate_user, endpoint_of, kubeconfig_of
from devcluster.kubectl import Kubectl, find_kubectl
from devcluster.waiting import wait_for
from tests.api.operators import PREFIX
from tests.api.people import INSTALLERS, Person, an_extension, granting, role_for, writers_of_extensions

pytestmark = pytest.mark.api

NAME = f"{PREFIX}/service-account-name"
NAMESPACE = f"{PREFIX}/service-account-namespace"
CONTROLLER = "operator-controller-controller-manager"
ACCOUNT_OF_THE_CONTROLLER = f'service account "{CONTROLLER}" of namespace "{SYSTEM_NAMESPACE}"'


@pytest.fixture(scope="module", autouse=True)
def writers(olm: Cluster) -> Iterator[None]:
    with writers_of_extensions(olm):
        yield


@pytest.fixture
def ann(olm: Cluster) -> Person:
    return Person(olm, "ann")


@pytest.fixture
def stored(olm: Cluster) -> Iterator[Callable[[dict[str, Any]], str]]:
    """Stores an object as an administrator; its name. It goes after the test."""
    made: list[tuple[str, str]] = []

    def store(manifest: dict[str, Any]) -> str:
        name = manifest["metadata"]["name"]
        made.append((manifest["kind"], name))
        olm.kubectl.apply(manifest)
        return str(name)

    yield store
    for kind, name in made:
        olm.kubectl.attempt("patch", kind, name, "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
        olm.kubectl.delete(kind, name)


def grant_of(user: str, account: str, namespace: str) -> str:
    """The command at the end of a message."""
    role = (
        f'{{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{{"name":"use-{account}",'
        f'"namespace":"{namespace}"}},"rules":[{{"apiGroups":[""],"resources":["serviceaccounts"],'
        f'"resourceNames":["{account}"],"verbs":["use"]}}]}}'
    )
    return (
        f"echo '{role}' | kubectl apply -f - && kubectl create rolebinding 'use-{account}-{user}' "
        f"--role=use-{account} --user='{user}' --namespace={namespace}"
    )


def refused_extension(user: str, namespace: str) -> str:
    """What a user is told who may not use the account `installer`."""
    return (
        f'user "{user}" may not install as service account "installer" of namespace "{namespace}": this takes the verb '
        f'"use" or "impersonate" on it. An administrator allows it with: {grant_of(user, "installer", namespace)}'
    )


def refused_without_account(user: str, namespace: str) -> str:
    return (
        f'user "{user}" may not install without spec.serviceAccount, which is to install as {ACCOUNT_OF_THE_CONTROLLER}'
        f': this takes the verb "use" or "impersonate" on it. Name an account in namespace "{namespace}". '
        f"An administrator allows it with: {grant_of(user, CONTROLLER, SYSTEM_NAMESPACE)}"
    )


def refused_set(user: str, namespace: str, account: str = "installer") -> str:
    return (
        f'user "{user}" may not have objects written as service account "{account}" of namespace "{namespace}": this '
        f'takes the verb "use" or "impersonate" on it. An administrator allows it with: '
        f"{grant_of(user, account, namespace)}"
    )


def refused_set_without_account(user: str) -> str:
    return (
        f'user "{user}" may not make a set that names no account, which counts as naming {ACCOUNT_OF_THE_CONTROLLER}: '
        f'this takes the verb "use" or "impersonate" on it. Name an account in the annotations {NAME} and {NAMESPACE}. '
        f"An administrator allows it with: {grant_of(user, CONTROLLER, SYSTEM_NAMESPACE)}"
    )


def a_set(name: str, annotations: dict[str, str] | None) -> dict[str, Any]:
    metadata = {"name": name} | ({} if annotations is None else {"annotations": annotations})
    spec = {"lifecycleState": "Active", "revision": 1, "collisionProtection": "Prevent"}
    return {"apiVersion": f"{PREFIX}/v1", "kind": "ClusterObjectSet", "metadata": metadata, "spec": spec}


def naming(namespace: str, name: str = "installer") -> dict[str, str]:
    return {NAME: name, NAMESPACE: namespace}


def test_user_without_the_right_may_not_name_an_account(ann: Person, namespace: str) -> None:
    assert ann.create(an_extension("kiosk", namespace)) == refused_extension("ann", namespace)
    assert ann.create(a_set("kiosk-1", naming(namespace))) == refused_set("ann", namespace)


def test_page_shows_what_is_told(ann: Person, stored: Callable[[dict[str, Any]], str]) -> None:
    page = (PROJECT_DIR / "docs" / "admission.md").read_text(encoding="utf-8")
    assert f"denied request: {ann.create(an_extension('kiosk', 'kiosk-system', 'kiosk-installer'))}\n" in page
    name = stored(an_extension("kiosk", "kiosk-system", "kiosk-installer"))
    clearing, _, command = ann.patch("clusterextension", name, {"spec": {"serviceAccount": None}}).partition("echo ")
    assert command.startswith("'{")
    assert f"denied request: {clearing}…\n" in page


@pytest.mark.parametrize("verb", ["use", "impersonate", "*"])
def test_right_on_the_account_admits(ann: Person, namespace: str, verb: str) -> None:
    role, binding = role_for("ann", namespace, "installer", verb)
    name = {"name": "may-name", "namespace": namespace}
    binding = {**binding, "metadata": name, "roleRef": {**binding["roleRef"], "name": "may-name"}}
    with granting(ann.cluster, {**role, "metadata": name}, binding):
        wait_for(lambda: ann.create(an_extension("kiosk", namespace)) == "", "the right to count")
        wait_for(lambda: ann.create(a_set("kiosk-1", naming(namespace))) == "", "the right to count")
        other = refused_set("ann", namespace, "other")
        assert ann.create(a_set("kiosk-1", naming(namespace, "other"))) == other
        assert ann.create(a_set("kiosk-1", naming("default"))) == refused_set("ann", "default")
        assert ann.create(an_extension("kiosk", "default")) == refused_extension("ann", "default")
        nobody = Person(ann.cluster, "bob")
        assert nobody.create(an_extension("kiosk", namespace)) == refused_extension("bob", namespace)


def test_administrator_and_the_account_itself_may(olm: Cluster, namespace: str) -> None:
    administrator = Person(olm, "root", ("system:masters",))
    account = Person(olm, f"system:serviceaccount:{namespace}:installer")
    for person in (administrator, account):
        assert person.create(an_extension("kiosk", namespace)) == ""
        assert person.create(a_set("kiosk-1", naming(namespace))) == ""
    assert administrator.create(an_extension("kiosk", namespace, None)) == ""
    assert administrator.create(a_set("kiosk-1", None)) == ""
    assert account.create(an_extension("kiosk", "default")) == refused_extension(account.name, "default")


def test_editor_of_the_namespace_may(ann: Person, namespace: str) -> None:
    ann.cluster.kubectl.run("create", "rolebinding", "ann", "--clusterrole=edit", "--user=ann", "-n", namespace)
    wait_for(lambda: ann.create(an_extension("kiosk", namespace)) == "", "the right to count")


@pytest.mark.parametrize("user", ["ann", "system:serviceaccount:apps:deployer", 'o\'neill/100% "$(id)" `id`'])
def test_command_of_the_message_gives_the_right(olm: Cluster, namespace: str, user: str) -> None:
    person = Person(olm, user)
    told = person.create(an_extension("kiosk", namespace))
    assert told.startswith(f'user "{user}" may not install as service account "installer" of namespace "{namespace}"')
    command = told.partition("allows it with: ")[2]
    path = f"{Path(find_kubectl()).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **olm.kubectl.environment, "PATH": path}
    subprocess.run(["/bin/sh", "-c", command], env=environment, check=True, capture_output=True)
    wait_for(lambda: person.create(an_extension("kiosk", namespace)) == "", "the right to count")
    assert person.create(an_extension("kiosk", namespace, "other")).startswith(f'user "{user}" may not install as')


@pytest.mark.parametrize(
    ("user", "told"),
    [
        pytest.param("ann", 'user "ann" may not install as service account "installer"', id="ann"),
        pytest.param(
            "ann\nbob",
            "who makes this request may not use the account that the extension is to be installed as: this takes the "
            'verb "use" or "impersonate" on it',
            id="line break in the name",
        ),
    ],
)
def test_user_of_a_client_certificate_is_told(own_cluster: Cluster, namespace: str, user: str, told: str) -> None:
    pair = own_cluster.workspace.authority.issue(user, organizations=[INSTALLERS])
    endpoint = endpoint_of(own_cluster.kubectl.run("config", "view", "--minify", "--raw", "--flatten", "-o", "json"))
    kubeconfig = own_cluster.workspace.write("certified.kubeconfig", kubeconfig_of(endpoint, certificate_user(pair)))
    kubectl = Kubectl(kubeconfig, own_cluster.state_dir / "kubectl-cache")
    done = kubectl.attempt("create", "-f", "-", stdin=json.dumps(an_extension("kiosk", namespace)).encode())
    assert f"denied request: {told}" in done.stderr.decode()


def test_extension_without_account_counts_as_the_controller(ann: Person, namespace: str) -> None:
    assert ann.create(an_extension("kiosk", namespace, None)) == refused_without_account("ann", namespace)
    with granting(ann.cluster, *role_for("ann", SYSTEM_NAMESPACE, CONTROLLER, "use")):
        wait_for(lambda: ann.create(an_extension("kiosk", namespace, None)) == "", "the right to count")
        assert ann.create(a_set("kiosk-1", None)) == ""


def test_change_of_an_extension_that_leaves_the_account_takes_nothing(
    ann: Person, namespace: str, stored: Callable[[dict[str, Any]], str]
) -> None:
    name = stored(an_extension(f"kept-{namespace}", namespace))
    finalizers = {"metadata": {"finalizers": ["example.com/wait"]}}
    changes: list[dict[str, Any]] = [
        {"spec": {"source": {"catalog": {"version": "1.x"}}}},
        {"metadata": {"labels": {"a": "b"}, "annotations": {"a": "b"}}},
        finalizers,
    ]
    for change in changes:
        assert ann.patch("clusterextension", name, change) == ""
    installed = {"status": {"install": {"bundle": {"name": "kiosk.v1", "version": "1.0.0"}}}}
    assert ann.patch("clusterextension", name, installed, "--subresource=status", keep=True) == ""
    assert ann.patch("clusterextension", name, finalizers, keep=True) == ""
    assert ann.delete("clusterextension", name) == ""
    assert ann.patch("clusterextension", name, {"metadata": {"finalizers": None}}, keep=True) == ""


def test_change_of_the_account_of_an_extension_takes_the_right(
    ann: Person, namespace: str, stored: Callable[[dict[str, Any]], str]
) -> None:
    bare = stored(an_extension(f"bare-{namespace}", namespace, None))
    scoped = stored(an_extension(f"scoped-{namespace}", namespace))
    naming_it = {"spec": {"serviceAccount": {"name": "installer"}}}
    assert ann.patch("clusterextension", bare, naming_it) == refused_extension("ann", namespace)
    clearing = {"spec": {"serviceAccount": None}}
    assert ann.patch("clusterextension", scoped, clearing) == refused_without_account("ann", namespace)
    assert ann.patch("clusterextension", scoped, naming_it) == ""
    with granting(ann.cluster, *role_for("ann", namespace, "installer", "use")):
        wait_for(lambda: ann.patch("clusterextension", bare, naming_it) == "", "the right to count")


@pytest.mark.parametrize(
    "annotations",
    [
        pytest.param(None, id="no annotations"),
        pytest.param({NAME: "installer"}, id="no namespace"),
        pytest.param({NAMESPACE: "default"}, id="no name"),
        pytest.param(naming("", ""), id="empty"),
        pytest.param(naming("default", "In Staller"), id="no DNS name"),
        pytest.param(naming("default", "installer\n"), id="line break"),
        pytest.param(naming("default", "installer:default"), id="colon"),
        pytest.param(naming("default", "*"), id="everything"),
        pytest.param(naming("default", "a" * 254), id="too long"),
    ],
)
def test_set_with_odd_annotations_counts_as_the_controller(ann: Person, annotations: dict[str, str] | None) -> None:
    assert ann.create(a_set("odd-1", annotations)) == refused_set_without_account("ann")


def test_change_of_a_set_that_leaves_the_account_takes_nothing(
    ann: Person, namespace: str, stored: Callable[[dict[str, Any]], str]
) -> None:
    name = stored(a_set(f"{namespace}-1", naming(namespace)))
    collector = Person(ann.cluster, "system:serviceaccount:kube-system:generic-garbage-collector", ("system:nodes",))
    owner = {"apiVersion": "v1", "kind": "Namespace", "name": namespace, "uid": "u"}
    for change in ({"ownerReferences": [owner]}, {"finalizers": ["example.com/wait"]}):
        assert ann.patch("clusterobjectset", name, {"metadata": change}) == ""
    assert collector.patch("clusterobjectset", name, {"metadata": {"ownerReferences": None}}) == ""
    assert ann.patch("clusterobjectset", name, {"metadata": {"finalizers": ["example.com/wait"]}}, keep=True) == ""
    assert ann.patch("clusterobjectset", name, {"spec": {"lifecycleState": "Archived"}}) == ""
    assert ann.patch("clusterobjectset", name, {"status": {"conditions": []}}, "--subresource=status") == ""
    assert ann.delete("clusterobjectset", name) == ""
    assert ann.patch("clusterobjectset", name, {"metadata": {"finalizers": None}}, keep=True) == ""


def claiming() -> list[dict[str, Any]]:
    """Metadata of sets that say to be revisions of an extension."""
    owner = {"apiVersion": f"{PREFIX}/v1", "kind": "ClusterExtension", "name": "kiosk", "uid": "u"}
    return [{"ownerReferences": [owner]}, {"labels": {f"{PREFIX}/owner-kind": "ClusterExtension"}}]


@pytest.mark.parametrize("claim", claiming(), ids=["owner", "label"])
def test_revision_of_an_extension_is_made_by_the_controller_only(
    ann: Person, namespace: str, stored: Callable[[dict[str, Any]], str], claim: dict[str, Any]
) -> None:
    refused = (
        f'user "ann" may not make a set that is a revision of a ClusterExtension, which counts as naming '
        f'{ACCOUNT_OF_THE_CONTROLLER}: this takes the verb "use" or "impersonate" on it. '
        f"An administrator allows it with: {grant_of('ann', CONTROLLER, SYSTEM_NAMESPACE)}"
    )
    made = a_set(f"{namespace}-1", naming(namespace))
    with granting(ann.cluster, *role_for("ann", namespace, "installer", "use")):
        wait_for(lambda: ann.create(made) == "", "the right to count")
        assert ann.create({**made, "metadata": {**made["metadata"], **claim}}) == refused
        name = stored(made)
        assert ann.patch("clusterobjectset", name, {"metadata": claim}) == refused
        assert (
            Person(ann.cluster, "admin", ("system:masters",)).patch("clusterobjectset", name, {"metadata": claim}) == ""
        )
    assert ann.patch("clusterobjectset", name, {"spec": {"lifecycleState": "Archived"}}) == ""
    collector = Person(ann.cluster, "system:serviceaccount:kube-system:generic-garbage-collector", ("system:nodes",))
    assert collector.patch("clusterobjectset", name, {"metadata": {"ownerReferences": None}}) == ""


def test_change_of_the_account_of_a_set_takes_the_right(
    ann: Person, namespace: str, stored: Callable[[dict[str, Any]], str]
) -> None:
    name = stored(a_set(f"{namespace}-1", naming(namespace)))
    other = {"metadata": {"annotations": naming(namespace, "other")}}
    assert ann.patch("clusterobjectset", name, other) == refused_set("ann", namespace, "other")
    elsewhere = {"metadata": {"annotations": {NAMESPACE: "default"}}}
    assert ann.patch("clusterobjectset", name, elsewhere) == refused_set("ann", "default")
    removed = {"metadata": {"annotations": {NAME: None}}}
    assert ann.patch("clusterobjectset", name, removed) == refused_set_without_account("ann")
    with granting(ann.cluster, *role_for("ann", namespace, "other", "use")):
        wait_for(lambda: ann.patch("clusterobjectset", name, other) == "", "the right to count")


def test_controller_may_make_sets_for_every_account(olm: Cluster, namespace: str) -> None:
    controller = Person(olm, f"system:serviceaccount:{SYSTEM_NAMESPACE}:{CONTROLLER}", ())
    assert controller.create(a_set("kiosk-1", naming(namespace))) == ""
    assert controller.create(a_set("kiosk-1", None)) == ""
    catalogs = Person(olm, f"system:serviceaccount:{SYSTEM_NAMESPACE}:catalogd-controller-manager", ())
    assert re.search(
        r'cannot create resource "clusterobjectsets"', catalogs.create(a_set("kiosk-1", naming(namespace)))
    )
