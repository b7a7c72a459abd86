"""A registry with TLS on loopback, and a puller that trusts it and reads no file of this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from tests.registry import Registry, running_registry
from tests.registry_tls import Authority


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("authority"))


@pytest.fixture
async def registry(authority: Authority) -> AsyncIterator[Registry]:
    async with running_registry(authority.server_context()) as running:
        yield running


@pytest.fixture
async def puller(authority: Authority, tmp_path: Path) -> AsyncIterator[Puller]:
    cas = tmp_path / "cas"
    cas.mkdir()
    (cas / "ca.pem").write_bytes(authority.ca_file.read_bytes())
    nothing = (tmp_path / "nothing",)
    settings = ImageSettings(
        pull_cas_dir=cas,
        certs_dirs=nothing,
        registries_conf=nothing,
        registries_conf_dirs=nothing,
        policy=nothing,
        auth_files=nothing,
        temp_dir=tmp_path,
    )
    made = Puller(settings)
    try:
        yield made
    finally:
        await made.close()
