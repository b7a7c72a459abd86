"""Reserved ports: never the same twice, never one that is in use."""

from __future__ import annotations

import socket
from pathlib import Path

from devcluster.ports import PortPool, candidates


def test_candidates_give_every_port_once() -> None:
    assert sorted(candidates(4711)) == list(range(20000, 32000))


def test_candidates_begin_elsewhere_for_another_seed() -> None:
    assert next(candidates(1)) != next(candidates(2))


def test_reserve_gives_two_pools_different_ports(tmp_path: Path) -> None:
    one, other = PortPool(tmp_path), PortPool(tmp_path)
    ports = [one.reserve(), other.reserve(), one.reserve(), other.reserve()]
    one.close()
    other.close()
    assert len(set(ports)) == 4


def test_reserve_gives_a_port_again_when_its_pool_was_closed(tmp_path: Path) -> None:
    one, other = PortPool(tmp_path), PortPool(tmp_path)
    port = one.reserve()
    one.close()
    assert other.reserve() == port
    other.close()


def test_reserve_passes_over_a_port_in_use(tmp_path: Path) -> None:
    pool = PortPool(tmp_path)
    port = pool.reserve()
    pool.close()
    with socket.create_server(("127.0.0.1", port)):
        assert pool.reserve() != port
    pool.close()
