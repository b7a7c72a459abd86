"""A registry with TLS on loopback and pullers that read no file of this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from olmv1.images.credentials import ANONYMOUS, Credentials
from olmv1.images.platforms import Platform
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings, Timing
from tests.registry import Login, Registry, running_registry
from tests.registry_tls import Authority

FAST = Timing(connect_s=5, read_s=5, pull_s=30, retry_wait_s=0.01, retry_budget_s=2)
MakePuller = Callable[..., AbstractAsyncContextManager[Puller]]


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("authority"))


@pytest.fixture
async def registry(authority: Authority) -> AsyncIterator[Registry]:
    async with running_registry(authority.server_context()) as running:
        yield running


@pytest.fixture
async def bearer_registry(authority: Authority) -> AsyncIterator[Registry]:
    async with running_registry(authority.server_context(), Login("bearer", refresh_token="refresh-me")) as running:
        yield running


@pytest.fixture
async def basic_registry(authority: Authority) -> AsyncIterator[Registry]:
    async with running_registry(authority.server_context(), Login("basic")) as running:
        yield running


@pytest.fixture
def settings(authority: Authority, tmp_path: Path) -> ImageSettings:
    """Trusts the test authority; every configuration path is in `tmp_path` and absent."""
    cas = tmp_path / "cas"
    cas.mkdir()
    (cas / "ca.pem").write_bytes(authority.ca_file.read_bytes())
    return ImageSettings(
        pull_cas_dir=cas,
        certs_dirs=(tmp_path / "certs.d",),
        registries_conf=(tmp_path / "registries.conf",),
        registries_conf_dirs=(tmp_path / "registries.conf.d",),
        policy=(tmp_path / "policy.json",),
        auth_files=(tmp_path / "auth.json",),
        temp_dir=tmp_path,
        platform=Platform("linux", "amd64"),
        timing=FAST,
    )


@pytest.fixture
async def puller(settings: ImageSettings) -> AsyncIterator[Puller]:
    made = Puller(settings)
    yield made
    await made.close()


@pytest.fixture
def make_puller() -> MakePuller:
    """Pullers with other settings or credentials, closed at the end of their block."""

    @asynccontextmanager
    async def make(settings: ImageSettings, credentials: Credentials = ANONYMOUS) -> AsyncIterator[Puller]:
        made = Puller(settings, lambda: credentials)
        try:
            yield made
        finally:
            await made.close()

    return make
