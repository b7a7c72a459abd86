from __future__ import annotations

from pathlib import Path

import pytest

from olm_cli.cluster import connected
from olm_cli.options import ClusterOptions
from olm_cli.planning.installed import objects_of, proxy_of
from olm_cli.problems import CannotTell
from olmv1.served import Served
from tests.answering_server import AnsweringServer, Reply, a_status, write_kubeconfig
from tests.builders import an_object_set

PROXY = "/apis/config.openshift.io/v1/proxies/cluster"
OPENSHIFT = Served(kinds=frozenset({("config.openshift.io", "v1", "Proxy")}))
SECRET = "/api/v1/namespaces/olmv1-system/secrets/lantern-1-x"
MANIFEST = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "shop"}}


@pytest.fixture
def options(server: AnsweringServer, tmp_path: Path) -> ClusterOptions:
    return ClusterOptions(kubeconfig=write_kubeconfig(tmp_path / "kubeconfig", server.url))


@pytest.mark.parametrize(
    ("served", "reply", "proxy"),
    [
        pytest.param(Served(), Reply(), {}, id="no such API"),
        pytest.param(OPENSHIFT, a_status(404, "NotFound", "x"), {}, id="no proxy"),
        pytest.param(OPENSHIFT, Reply({"status": {"httpProxy": "http://p"}}), {"HTTP_PROXY": "http://p"}, id="a proxy"),
    ],
)
async def test_proxy_is_what_operators_are_given(
    server: AnsweringServer, options: ClusterOptions, served: Served, reply: Reply, proxy: dict[str, str]
) -> None:
    server.replies[PROXY] = reply
    async with connected(options) as client:
        assert await proxy_of(client, served) == proxy


async def test_objects_are_those_of_the_revision(options: ClusterOptions) -> None:
    revision = an_object_set(phases=[{"name": "one", "objects": [{"object": MANIFEST}]}])
    async with connected(options) as client:
        assert await objects_of(client, revision) == (MANIFEST,)


async def test_objects_that_may_not_be_read_are_an_error(server: AnsweringServer, options: ClusterOptions) -> None:
    server.replies[SECRET] = a_status(403, "Forbidden", "you may not")
    ref = {"ref": {"namespace": "olmv1-system", "name": "lantern-1-x", "key": "k"}}
    revision = an_object_set(phases=[{"name": "one", "objects": [ref]}])
    text = (
        'the objects of ClusterObjectSet "lantern-1" cannot be read: getting Secret olmv1-system/lantern-1-x: '
        "you may not; they are in Secrets, ask for the right to get those that it refers to"
    )
    with pytest.raises(CannotTell) as error:
        async with connected(options) as client:
            await objects_of(client, revision)
    assert str(error.value) == text
