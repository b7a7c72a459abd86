from __future__ import annotations

import asyncio
from typing import Any

import pytest

from devcluster.cluster import Cluster
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import AlreadyExists, Conflict, Forbidden, Invalid, NotFound, ServerError
from olmv1.kube.resources import CONFIG_MAPS, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS, Resource
from tests.tcp_proxy import TcpProxy


def a_config_map(namespace: str, name: str = "till", **data: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": name}},
        "data": data,
    }


INGRESSES = Resource("networking.k8s.io", "v1", "ingresses", "Ingress", True)
"""A kind with a status that no controller of the control plane writes."""


def an_ingress(namespace: str) -> dict[str, Any]:
    backend = {"service": {"name": "till", "port": {"number": 80}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {"name": "till", "namespace": namespace},
        "spec": {"ingressClassName": "one", "defaultBackend": backend},
    }


async def test_an_object_is_created_read_listed_and_deleted(client: KubeClient, namespace: str) -> None:
    created = await client.create(CONFIG_MAPS, a_config_map(namespace, key="value"))
    assert await client.get(CONFIG_MAPS, "till", namespace) == created
    listing = await client.list(CONFIG_MAPS, namespace, label_selector="app=till")
    assert (listing.items, int(listing.resource_version) > 0) == ((created,), True)
    assert (await client.list(CONFIG_MAPS, namespace, field_selector="metadata.name=other")).items == ()
    await client.delete(CONFIG_MAPS, "till", namespace)
    with pytest.raises(NotFound, match=r'^configmaps "till" not found$'):
        await client.get(CONFIG_MAPS, "till", namespace)


async def test_a_second_object_of_a_name_is_refused(client: KubeClient, namespace: str) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace))
    with pytest.raises(AlreadyExists, match=r'^configmaps "till" already exists$'):
        await client.create(CONFIG_MAPS, a_config_map(namespace))


async def test_metadata_only_reads_carry_no_content_and_the_real_kind(client: KubeClient, namespace: str) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, key="value"))
    found = await client.get(CONFIG_MAPS, "till", namespace, metadata_only=True)
    listed = (await client.list(CONFIG_MAPS, namespace, label_selector="app=till", metadata_only=True)).items
    for item in (found, *listed):
        assert (item["kind"], item["apiVersion"], "data" in item) == ("ConfigMap", "v1", False)
        assert item["metadata"]["labels"] == {"app": "till"}


async def test_every_page_of_a_long_list_is_read(client: KubeClient, namespace: str) -> None:
    for number in range(300):
        await client.create(CONFIG_MAPS, a_config_map(namespace, f"map-{number:03}"))
    pages = [page async for page in client.pages(CONFIG_MAPS, namespace, query={})]
    names = [item["metadata"]["name"] for page in pages for item in page.items]
    assert (len(pages), names) == (2, ["kube-root-ca.crt", *(f"map-{number:03}" for number in range(300))])


async def test_apply_creates_changes_and_keeps_what_others_set(client: KubeClient, namespace: str) -> None:
    await client.apply(CONFIG_MAPS, a_config_map(namespace, a="1"), field_manager="one")
    await client.patch(CONFIG_MAPS, "till", {"data": {"b": "2"}}, namespace=namespace)
    changed = await client.apply(CONFIG_MAPS, a_config_map(namespace, a="3"), field_manager="one")
    assert changed["data"] == {"a": "3", "b": "2"}


async def test_apply_names_the_conflicting_field_unless_forced(client: KubeClient, namespace: str) -> None:
    await client.apply(CONFIG_MAPS, a_config_map(namespace, a="1"), field_manager="one")
    with pytest.raises(Conflict, match=r'^Apply failed with 1 conflict: conflict with "one": \.data\.a$') as problem:
        await client.apply(CONFIG_MAPS, a_config_map(namespace, a="2"), field_manager="two")
    assert problem.value.details["causes"] == [
        {"reason": "FieldManagerConflict", "message": 'conflict with "one"', "field": ".data.a"}
    ]
    forced = await client.apply(CONFIG_MAPS, a_config_map(namespace, a="2"), field_manager="two", force=True)
    assert forced["data"] == {"a": "2"}


async def test_apply_of_an_unknown_field_of_a_built_in_kind_is_refused(client: KubeClient, namespace: str) -> None:
    with pytest.raises(ServerError, match=r"\.dada: field not declared in schema$"):
        await client.apply(CONFIG_MAPS, {**a_config_map(namespace), "dada": {}}, field_manager="one")


async def test_a_dry_run_changes_nothing(client: KubeClient, namespace: str) -> None:
    manifest = a_config_map(namespace, a="1")
    assert (await client.apply(CONFIG_MAPS, manifest, field_manager="one", dry_run=True))["data"] == {"a": "1"}
    await client.create(CONFIG_MAPS, manifest, dry_run=True)
    with pytest.raises(NotFound):
        await client.get(CONFIG_MAPS, "till", namespace)
    await client.create(CONFIG_MAPS, manifest)
    await client.delete(CONFIG_MAPS, "till", namespace, dry_run=True)
    assert (await client.get(CONFIG_MAPS, "till", namespace))["data"] == {"a": "1"}


async def test_a_status_is_replaced_alone_and_only_at_its_version(client: KubeClient, namespace: str) -> None:
    created = await client.create(INGRESSES, an_ingress(namespace))
    balancer = {"ingress": [{"hostname": "till.example.com"}]}
    wanted = {**created, "spec": {**created["spec"], "ingressClassName": "two"}, "status": {"loadBalancer": balancer}}
    stale = {**wanted, "metadata": {**created["metadata"], "resourceVersion": "1"}}
    with pytest.raises(Conflict):
        await client.replace_status(INGRESSES, stale)
    replaced = await client.replace_status(INGRESSES, wanted)
    assert (replaced["status"]["loadBalancer"], replaced["spec"]["ingressClassName"]) == (balancer, "one")


async def test_a_json_patch_tests_before_it_changes(client: KubeClient, namespace: str) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, a="1"))
    test, remove = {"op": "test", "path": "/data/a", "value": "2"}, {"op": "remove", "path": "/data/a"}
    with pytest.raises(Invalid):
        await client.patch(CONFIG_MAPS, "till", [test, remove], namespace=namespace)
    assert "data" not in await client.patch(CONFIG_MAPS, "till", [remove], namespace=namespace)


async def test_a_deletion_is_refused_for_another_object_of_the_name(client: KubeClient, namespace: str) -> None:
    created = await client.create(CONFIG_MAPS, a_config_map(namespace))
    with pytest.raises(Conflict, match="the UID in the precondition"):
        await client.delete(CONFIG_MAPS, "till", namespace, uid="00000000-0000-0000-0000-000000000000")
    await client.delete(CONFIG_MAPS, "till", namespace, uid=created["metadata"]["uid"])


async def test_a_service_account_may_do_what_its_role_says_and_nothing_else(client: KubeClient, namespace: str) -> None:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "installer", "namespace": namespace}}
    await client.create(SERVICE_ACCOUNTS, account)
    installer = client.as_service_account(namespace, "installer")
    refusal = (
        f'configmaps is forbidden: User "system:serviceaccount:{namespace}:installer" cannot create resource '
        f'"configmaps" in API group "" in the namespace "{namespace}"'
    )
    with pytest.raises(Forbidden) as problem:
        await installer.create(CONFIG_MAPS, a_config_map(namespace))
    assert str(problem.value) == refusal
    await allow(client, namespace, "create", "patch")
    await installer.apply(CONFIG_MAPS, a_config_map(namespace, a="1"), field_manager="one")
    with pytest.raises(Forbidden):
        await installer.get(CONFIG_MAPS, "till", namespace)


async def allow(client: KubeClient, namespace: str, *verbs: str) -> None:
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": list(verbs)}]
    await bind(client, {"name": "installer", "namespace": namespace}, rules, account="installer")


async def bind(client: KubeClient, metadata: dict[str, str], rules: list[dict[str, Any]], account: str) -> None:
    api_version = ROLES.api_version
    await client.create(ROLES, {"apiVersion": api_version, "kind": "Role", "metadata": metadata, "rules": rules})
    subject = {"kind": "ServiceAccount", "name": account, "namespace": metadata["namespace"]}
    role = {"apiGroup": ROLES.group, "kind": "Role", "name": metadata["name"]}
    binding = {"metadata": metadata, "subjects": [subject], "roleRef": role}
    await client.create(ROLE_BINDINGS, {"apiVersion": api_version, "kind": "RoleBinding", **binding})


async def test_impersonation_needs_one_right_on_service_accounts_alone(
    cluster: Cluster, client: KubeClient, namespace: str
) -> None:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "installer", "namespace": namespace}}
    await client.create(SERVICE_ACCOUNTS, account)
    await allow(client, namespace, "create")
    kubeconfig = await asyncio.to_thread(cluster.kubeconfig_for, namespace, "default")
    async with await KubeClient.connect(str(kubeconfig), user_agent="test/1") as controller:
        installer = controller.as_service_account(namespace, "installer")
        with pytest.raises(Forbidden, match="cannot impersonate"):
            await installer.create(CONFIG_MAPS, a_config_map(namespace))
        rules = [{"apiGroups": [""], "resources": ["serviceaccounts"], "verbs": ["impersonate"]}]
        await bind(client, {"name": "controller", "namespace": namespace}, rules, account="default")
        async with asyncio.timeout(10):
            # The authorizer learns of a right a moment after it is granted.
            while not await is_allowed(installer, namespace):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def is_allowed(installer: KubeClient, namespace: str) -> bool:
    try:
        await installer.create(CONFIG_MAPS, a_config_map(namespace))
    except Forbidden:
        return False
    return True


async def test_a_short_outage_is_bridged_by_the_client(proxied: KubeClient, proxy: TcpProxy, namespace: str) -> None:
    await proxied.create(CONFIG_MAPS, a_config_map(namespace, a="1"))
    proxy.cut()
    changed = await proxied.apply(CONFIG_MAPS, a_config_map(namespace, a="2"), field_manager="one", force=True)
    assert changed["data"] == {"a": "2"}
