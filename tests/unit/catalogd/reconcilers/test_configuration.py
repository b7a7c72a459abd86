from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from catalogd.reconcilers.configuration import watch_configuration
from olmv1.images.puller import Puller
from tests.waiting import eventually


@pytest.fixture
def woken() -> list[str]:
    return []


@pytest.fixture
async def watched(tmp_path: Path, puller: Puller) -> Puller:
    return Puller(replace(puller.settings, registries_conf=(tmp_path / "registries.conf",)))


async def test_a_change_of_the_registries_configuration_wakes(
    tmp_path: Path, watched: Puller, woken: list[str]
) -> None:
    file = tmp_path / "registries.conf"
    file.write_text("")
    watch = asyncio.create_task(watch_configuration(watched, lambda: woken.append("now"), period_s=0.01))
    await asyncio.sleep(0.1)  # several looks at the same files
    assert woken == []
    file.write_text('[[registry]]\nlocation = "registry.example"\n')
    await eventually(lambda: woken == ["now"])
    file.unlink()
    await eventually(lambda: woken == ["now", "now"])
    watch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watch
    await watched.close()
