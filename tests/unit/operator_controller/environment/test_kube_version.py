from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from operator_controller.environment import KubeVersionWatch
from tests.fake_apiserver import Reply, fake_apiserver, status_of

NOTHING = Reply({"kind": "APIGroupDiscoveryList", "items": []})
REFUSED = Reply(status_of(403, "Forbidden", "no"), 403)


def version(text: str) -> Reply:
    return Reply({"gitVersion": text})


async def test_upgrade_of_the_control_plane_is_noticed_once(tmp_path: Path) -> None:
    told = asyncio.Queue[str]()
    async with fake_apiserver(tmp_path) as server:
        answers = ["v1.35.2", "v1.35.2", "", "v1.36.0", "v1.36.0"]
        server.play(NOTHING, NOTHING, REFUSED, *map(version, answers), *[version("v1.36.0")] * 50)
        async with await KubeClient.connect(str(server.kubeconfig), user_agent="test/1") as client:
            discovery = Discovery(client, clock=itertools.count(0, 1000).__next__)
            watch = KubeVersionWatch(discovery, lambda: told.put_nowait("changed"), look_s=0.001)
            running = asyncio.create_task(watch.run())
            async with asyncio.timeout(20):
                await told.get()
                while len(server.requests) < 12:  # noqa: ASYNC110 - the server tells nobody
                    await asyncio.sleep(0.01)
            running.cancel()
    assert told.empty()
