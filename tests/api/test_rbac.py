"""`olm rbac` on a real API server: what it writes is enough to install, is used to the last right, and is missed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from devcluster.audit import Request
from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from e2e.world import World, condition, expect
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.errors import ApiError, Forbidden
from olmv1.manifests import Manifest, key_of, name_of
from operator_controller.authorization import (
    Grants,
    Installer,
    KindMap,
    RbacSnapshot,
    Right,
    installer_documents,
    missing_rights,
    rights_in,
    wanted_rights,
)
from operator_controller.revisions.ownership import is_kept
from tests.api.operators import PREFIX, publish, running_world
from tests.api.published_bundles import Published, without_each_rule
from tests.data import data_dir

pytestmark = pytest.mark.data

CATALOG = "rbac-certified"
SAMPLE = "timemachine-operator"
# Their own rules let them, and the account that holds these, do whatever the other rules say.
MIGHTY = {"app-insights-operator", "nginx-ingress-operator", "strategy-operator"}
# Each is installed when nothing else is: two have webhooks that nobody answers here for what all operators consist of,
# and two want an object that another bundle has, too.
LONERS = ("eda-openshift-operator", "eginnovations-operator", "ibm-application-gateway-operator", "mongodb-kubernetes")
_ROLES = ("Role", "ClusterRole")
_PATIENCE_S = 300.0  # for all of them at once on a busy machine


@pytest.fixture(scope="module")
def bundles() -> dict[str, Published]:
    """Every bundle of the test data that can be installed, by its directory."""
    folders = sorted(path.parent for path in data_dir("bundles").glob("*/*/expected.json"))
    return {folder.parent.name: Published(folder) for folder in folders}


@pytest.fixture(scope="module")
def world(own_plane: Cluster, bundles: dict[str, Published]) -> Iterator[World]:
    """A running OLM with a catalog of all bundles, and for each the account that `olm rbac` writes."""
    with running_world(own_plane) as made:
        publish(
            made, CATALOG, {each.package: {each.bundle.version or "1.0.0": each.files} for each in bundles.values()}
        )
        written = [item for each in bundles.values() for item in each.rbac(own_plane)["items"]]
        made.kubectl.apply(*sorted(written, key=lambda item: item["kind"] != "Namespace"))
        yield made


@pytest.fixture(scope="module")
def own_plane() -> Iterator[Cluster]:
    """A cluster of this module: hundreds of CRDs would slow down the one of the session."""
    with Cluster.start() as started:
        yield started


@pytest.mark.parametrize("alone", ["", *LONERS])
def test_account_installs_and_removes_the_bundle_with_exactly_what_is_written(
    world: World, bundles: dict[str, Published], alone: str
) -> None:
    installed = [bundles[alone]] if alone else [each for folder, each in bundles.items() if folder not in LONERS]
    mark = world.cluster.audit.position()
    world.kubectl.apply(*(each.extension for each in installed))
    expect("every extension to be installed", lambda: not waiting(world), lambda: waiting(world), _PATIENCE_S)
    world.kubectl.run("delete", "clusterextensions", "--all", "--wait=false")
    expect("every extension to be gone", lambda: not leaving(world), lambda: leaving(world), _PATIENCE_S)
    by_user: dict[str, set[Right]] = {each.account.user: set() for each in installed}
    refused = []
    for request in world.cluster.audit.requests(since=mark):
        if request.as_user in by_user:
            by_user[request.as_user] |= used(request)
            refused += [request] if request.code == 403 else []
    assert refused == []
    assert {each.package: sorted(by_user[each.account.user] ^ each.uses) for each in installed} == {
        each.package: [] for each in installed
    }


@pytest.mark.parametrize("grants", Grants)
def test_every_rule_is_missed_by_the_check_and_by_the_api_server(
    world: World, bundles: dict[str, Published], grants: Grants
) -> None:
    bundle, cluster = bundles[SAMPLE], world.cluster
    written = bundle.rbac(cluster, "--grants", grants)["items"]
    world.kubectl.apply(*written, *(each for each in bundle.objects if each["kind"] in _ROLES))
    assert bundle.rbac(cluster, "--diff") | {"message": ""} == nothing_missing(bundle)
    wait_for(lambda: refusals(cluster, bundle) == [], "the account to have its rights")
    roles = [each for each in written if "rules" in each]
    for without in without_each_rule(written):
        world.kubectl.apply(without.role)
        wait_for(lambda: refusals(cluster, bundle), f"the API server to miss {without.rule}")
        assert set(rights_of(bundle.rbac(cluster, "--diff")["missing"])) == bundle.lacking(without)
        world.kubectl.apply(*roles)
    for role in (each for each in bundle.objects if each["kind"] in _ROLES):
        world.kubectl.delete(role["kind"], name_of(role), role["metadata"].get("namespace"), wait=False)


@pytest.mark.parametrize("grants", Grants)
def test_check_names_exactly_the_rule_that_is_taken_away_from_the_account_of_any_bundle(
    bundles: dict[str, Published], grants: Grants
) -> None:
    mighty = set()
    for bundle in bundles.values():
        wanted = wanted_rights([("", bundle.needs)], grants)
        if any("may give itself every right" in warning for warning in wanted.warnings):
            mighty.add(bundle.package)
            continue
        written = [each.manifest for each in installer_documents(Installer(bundle.package, bundle.account), wanted)]
        for without in without_each_rule(written):
            missing = missing_rights(bundle.applied, bundle.account, RbacSnapshot(without.rest), KindMap())
            assert missing.rights == bundle.lacking(without), (bundle.package, without.rule)
    assert mighty == (MIGHTY if grants is Grants.HOLD else set())


def test_diff_tells_surplus_and_apply_takes_it_away(world: World, bundles: dict[str, Published]) -> None:
    cluster, asked = world.cluster, ("--extension", "rbac-applied")
    bundle, compared = bundles[SAMPLE], (*asked, "--diff", "--surplus")
    bundle.rbac(cluster, *asked, "--apply")
    assert bundle.rbac(cluster, *compared)["surplus"] == []
    more = {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["deletecollection"]}
    role = ("clusterrole", "rbac-applied-installer")
    world.kubectl.run("patch", *role, "--type=json", "-p", json.dumps(added(more)))
    assert bundle.rbac(cluster, *compared)["surplus"] == [{"namespace": "", **more}]
    world.kubectl.run("delete", *role)
    applied = {(item["kind"], item["result"]) for item in bundle.rbac(cluster, *asked, "--apply")}
    assert applied >= {("ClusterRole", "created"), ("ClusterRoleBinding", "applied")}
    assert bundle.rbac(cluster, *compared) | {"versions": []} == {
        **nothing_missing(bundle),
        "serviceAccount": {"namespace": "rbac-applied-system", "name": "rbac-applied-installer", "exists": True},
        "versions": [],
        "surplus": [],
        "wide": [],
    }


def added(rule: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A JSON patch that appends a rule."""
    return [{"op": "add", "path": "/rules/-", "value": rule}]


def nothing_missing(bundle: Published) -> dict[str, Any]:
    account = {"namespace": bundle.account.namespace, "name": bundle.account.name, "exists": True}
    version = bundle.bundle.version or bundle.bundle.csv_name
    return {"serviceAccount": account, "versions": [version], "missing": [], "message": ""}


def waiting(world: World) -> list[str]:
    """The extensions that are not installed yet, with what they say."""
    return [
        f"{name_of(item)}: {condition(item, 'Progressing').get('message')}"
        for item in world.kubectl.items("clusterextensions")
        if condition(item, "Installed").get("status") != "True"
    ]


def leaving(world: World) -> list[str]:
    """The extensions and revisions that are still there, with what they say.

    The API server forgets a CRD that it could not list the instances of, because their storage was not ready yet, until
    something about the CRD changes: so something does.
    """
    stuck = [
        name_of(item)
        for item in world.kubectl.items("customresourcedefinitions")
        if condition(item, "Terminating").get("reason") == "InstanceDeletionFailed"
    ]
    if stuck:
        world.kubectl.attempt("annotate", "crd", *stuck, "--overwrite", f"touched={time.monotonic()}")
    found = [*world.kubectl.items("clusterextensions"), *world.kubectl.items("clusterobjectsets")]
    return [f"{item['kind']} {name_of(item)}: {condition(item, 'Progressing').get('message')}" for item in found]


def used(request: Request) -> set[Right]:
    """The rights that a request took: a patch that created took two."""
    parts = urlsplit(request.uri)
    if "dryRun" in parse_qs(parts.query):
        return set()
    path = parts.path.strip("/").split("/")
    group, rest = ("", path[2:]) if path[0] == "api" else (path[1], path[3:])
    namespace = rest[1] if rest[0] == "namespaces" and len(rest) > 2 else ""
    resource, name = rest[-2:]
    verbs = {request.verb} | ({"create"} if request.code == 201 else set())
    return {Right(namespace, group, resource, name, verb) for verb in verbs}


def rights_of(rules: Iterable[Mapping[str, Any]]) -> Iterator[Right]:
    for rule in rules:
        yield from rights_in([rule], rule["namespace"])


def refusals(cluster: Cluster, *bundles: Published) -> list[str]:
    """What the API server refuses when everything is applied and deleted as the accounts, without doing it."""
    return asyncio.run(_refusals(cluster, bundles))


async def _refusals(cluster: Cluster, bundles: Iterable[Published]) -> list[str]:
    found: list[str] = []
    async with await KubeClient.connect(str(cluster.kubeconfig), user_agent="test/1") as client:
        discovery, slots = Discovery(client), asyncio.Semaphore(20)

        async def ask(writer: KubeClient, manifest: Manifest) -> None:
            key = key_of(manifest)
            resource = await discovery.resource_for(key.api_version, key.kind)
            attempts = [writer.apply(resource, manifest, field_manager=PREFIX, force=True, dry_run=True)]
            if not is_kept(manifest):
                attempts.append(writer.delete(resource, key.name, key.namespace or None, dry_run=True))
            for attempt in attempts:
                try:
                    async with slots:
                        await attempt
                except Forbidden as error:
                    found.append(f"{key}: {error}")
                except ApiError:
                    continue  # what it needs is not there

        async with asyncio.TaskGroup() as group:
            for bundle in bundles:
                writer = client.as_service_account(bundle.account.namespace, bundle.account.name)
                for manifest in bundle.applied:
                    group.create_task(ask(writer, manifest))
    return sorted(found)
