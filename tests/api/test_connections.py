"""What the components talk to while they work: the API server, registries, and operator-controller to catalogd."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import do_the_main_job, running_world
from tests.connections import Address, Watched, connected_to, sockets_in

CONNECT = """
import socket, sys
sockets = [socket.create_connection(("127.0.0.1", int(port))) for port in sys.argv[1:]]
sys.stdin.read()
"""
TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4 30 10 -1
   2: 00000000000000000000000001000000:1F91 0000000000000000FFFF00000200000A:01BB 02 0:0 00:0 0 0 0 13 1 0 20
"""


@pytest.fixture
def world(own_cluster: Cluster) -> Iterator[World]:
    with running_world(own_cluster) as made:
        yield made


def test_components_talk_to_the_api_server_the_registry_and_catalogd_only(world: World) -> None:
    catalogd, controller = world.both
    api = api_server_of(controller)
    registry = address_of(world.registry.host)
    catalogs = address_of(str(catalogd.flags["catalogs-server-addr"]))
    with Watched({"catalogd": catalogd.pid, "operator-controller": controller.pid}) as watched:
        do_the_main_job(world)
        print(f"{watched.looks} looks: {watched.seen}")
    assert watched.seen == {"catalogd": {api, registry}, "operator-controller": {api, registry, catalogs}}


def test_a_connection_of_a_child_is_seen_and_what_it_serves_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("::1", 0), family=socket.AF_INET6):
        port = first.getsockname()[1]
        command = [
            sys.executable,
            "-c",
            f"import subprocess, sys; subprocess.run({[sys.executable, '-c', CONNECT, str(port)]})",
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process, Watched({"it": process.pid}) as watched:
            found = Address("127.0.0.1", port)
            wait_for(lambda: connected_to(process.pid) == {found}, "the connection to be there")
            wait_for(lambda: watched.seen == {"it": {found}}, "the connection to be seen")
            process.communicate()
        assert connected_to(process.pid) == set()


def test_tables_of_the_kernel_are_understood() -> None:
    listening, accepted, connecting = sockets_in(TABLE, {"11", "12", "13"})
    assert [each.inode for each in sockets_in(TABLE, {"12"})] == ["12"]
    assert (listening.local, listening.remote, listening.inode) == (Address("127.0.0.1", 8080), None, "11")
    assert (accepted.remote, accepted.inode) == (Address("127.0.0.1", 50000), "12")
    assert (connecting.local, connecting.remote) == (Address("::1", 8081), Address("10.0.0.2", 443))


def api_server_of(component: Component) -> Address:
    kubeconfig = json.loads(Path(str(component.flags["kubeconfig"])).read_text())
    return address_of(urlsplit(kubeconfig["clusters"][0]["cluster"]["server"]).netloc)


def address_of(text: str) -> Address:
    host, _, port = text.rpartition(":")
    return Address(host, int(port))
