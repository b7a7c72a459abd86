from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from olm_cli.granting import apply_documents, around
from olm_cli.options import ClusterOptions
from olm_cli.problems import CannotTell
from olmv1.manifests import key_of
from operator_controller.authorization import Account, MappedKind, RoleRef
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.rbac import a_role, a_rule, an_object

ACCOUNT = Account("shop", "installer")
THINGS = {"name": "things", "kind": "Thing", "namespaced": True}
SECRETS = {"name": "secrets", "kind": "Secret", "namespaced": True}
GROUP = {"name": "example.com", "versions": [{"groupVersion": "example.com/v1", "version": "v1"}]}
SERVED = (
    Reply({"versions": ["v1"]}),
    Reply({"groupVersion": "v1", "resources": [SECRETS]}),
    Reply({"groups": [GROUP]}),
    Reply({"groupVersion": "example.com/v1", "resources": [THINGS]}),
    Reply({"gitVersion": "v1.36.3"}),
)
FORBIDDEN = Reply(status_of(403, "Forbidden", "no"), status=403)
NOT_FOUND = Reply(status_of(404, "NotFound", "nothing"), status=404)


def listed(*items: Mapping[str, Any]) -> Reply:
    return Reply({"items": list(items), "metadata": {"resourceVersion": "1"}})


LISTS = (listed(), listed(a_role("view", a_rule("pods", "get"))), listed(), listed())


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        yield fake


def options(server: FakeApiServer) -> ClusterOptions:
    return ClusterOptions(kubeconfig=server.kubeconfig)


async def test_around_reads_who_may_do_what(server: FakeApiServer) -> None:
    server.play(*SERVED, *LISTS)
    async with around(options(server), is_asked=True, is_needed=True) as found:
        assert found.rbac.role(RoleRef("", "view")) is not None
        assert found.served.kube_version == "1.36.3"


async def test_around_is_nothing_when_no_cluster_is_asked() -> None:
    async with around(ClusterOptions(kubeconfig="/nowhere"), is_asked=False, is_needed=False) as found:
        assert (found.client, await found.has_account(ACCOUNT), await found.installed("a", "b")) == (None, False, None)


async def test_around_goes_on_without_roles_where_they_are_not_needed(
    server: FakeApiServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.play(*SERVED, FORBIDDEN)
    async with around(options(server), is_asked=True, is_needed=False) as found:
        assert list(found.rbac.every_role) == []
    warning = "warning: cannot list roles: no; roles that are referred to and not brought along are not known\n"
    assert capsys.readouterr().err == warning
    server.play(*SERVED, FORBIDDEN)
    with pytest.raises(CannotTell, match="^cannot list roles: no$"):
        async with around(options(server), is_asked=True, is_needed=True):
            pass


async def test_around_asks_for_kinds_that_not_every_cluster_has(server: FakeApiServer) -> None:
    server.play(*SERVED, *LISTS)
    thing = an_object("Thing", api_version="example.com/v1")
    async with around(options(server), is_asked=True, is_needed=True) as found:
        kinds = await found.kinds_of([an_object("Secret"), thing])
    assert kinds.find(key_of(thing)) == MappedKind("example.com", "things", True)


async def test_around_knows_the_installed_bundle_of_the_same_package(server: FakeApiServer) -> None:
    spec = {"source": {"sourceType": "Catalog", "catalog": {"packageName": "till"}}}
    ext = {"spec": spec, "status": {"install": {"bundle": {"name": "till.v1.0.0"}}}}
    server.play(*SERVED, *LISTS, Reply(ext), Reply(ext), NOT_FOUND, Reply({"metadata": {}}), NOT_FOUND)
    async with around(options(server), is_asked=True, is_needed=True) as found:
        assert await found.installed("till", "till") == "till.v1.0.0"
        assert await found.installed("till", "other") is None
        assert await found.installed("till", "till") is None
        assert (await found.has_account(ACCOUNT), await found.has_account(ACCOUNT)) == (True, False)


async def test_apply_documents_says_what_was_created_and_who_is_in_the_way(server: FakeApiServer) -> None:
    secret = an_object("Secret")
    conflict = Reply(status_of(409, "Conflict", 'conflict with "kubectl"'), status=409)
    server.play(*SERVED, *LISTS, Reply(secret, status=201), Reply(secret), conflict)
    async with around(options(server), is_asked=True, is_needed=True) as found:
        assert await apply_documents(found, [secret, secret]) == [(secret, True), (secret, False)]
        with pytest.raises(CannotTell) as caught:
            await apply_documents(found, [secret])
    assert str(caught.value).startswith('Secret till is managed by somebody else: conflict with "kubectl"; ')
