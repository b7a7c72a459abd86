"""A registry with TLS on loopback, and a puller and a store that read no other file of this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from catalogd.store import Store
from catalogd.unpack import Unpacker
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings, Timing
from tests.registry import Registry, running_registry
from tests.registry_tls import Authority

FAST = Timing(connect_s=5, read_s=5, pull_s=30, retry_attempts=1, retry_wait_s=0.01)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.create(tmp_path)


@pytest.fixture
async def registry(authority: Authority) -> AsyncIterator[Registry]:
    async with running_registry(authority.server_context()) as running:
        yield running


@pytest.fixture
async def puller(tmp_path: Path, authority: Authority) -> AsyncIterator[Puller]:
    cas = tmp_path / "cas"
    cas.mkdir()
    (cas / "ca.crt").write_bytes(authority.ca_file.read_bytes())
    nothing = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    usual = ImageSettings.from_environment(nothing, pull_cas_dir=cas)
    made = Puller(replace(usual, timing=FAST, registries_conf_dirs=(), policy=(), registries_conf=()))
    yield made
    await made.close()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "cache")
    made.load()
    return made


@pytest.fixture
def unpacker(puller: Puller, store: Store) -> Unpacker:
    return Unpacker(puller, store, CollectorRegistry(), clock=lambda: 1795253058.0)
