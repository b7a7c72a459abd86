from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import SECRETS
from operator_controller.rollout import observe
from operator_controller.rollout.observe import FINGERPRINT, Observer, slim
from tests.builders import an_object
from tests.fake_apiserver import Reply, fake_apiserver, status_of

META = {"uid": "u", "resourceVersion": "5", "labels": {"a": "b"}, "annotations": {"c": "d"}}


def fingerprint(**changes: Any) -> str:
    metadata = {**META, **changes.pop("metadata", {})}
    return str(slim(an_object(metadata=metadata, **changes))[FINGERPRINT])


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"status": {"x": 1}}, id="status"),
        pytest.param(
            {"metadata": {"resourceVersion": "9", "generation": 3, "managedFields": [{}]}}, id="server fields"
        ),
        pytest.param({"metadata": {"annotations": {"c": "d", "deployment.kubernetes.io/revision": "2"}}}, id="books"),
    ],
)
def test_slim_keeps_its_fingerprint_when_content_stays(changes: dict[str, Any]) -> None:
    assert fingerprint(**changes) == fingerprint()


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"data": {"x": "y"}}, id="content"),
        pytest.param({"metadata": {"labels": {}}}, id="label"),
        pytest.param({"metadata": {"annotations": {}}}, id="annotation"),
        pytest.param({"metadata": {"ownerReferences": [{"uid": "x"}]}}, id="owner"),
    ],
)
def test_slim_changes_its_fingerprint_with_content(changes: dict[str, Any]) -> None:
    assert fingerprint(**changes) != fingerprint()


def test_slim_keeps_metadata_and_status_only() -> None:
    kept = slim(an_object(metadata={**META, "managedFields": [{}]}, status={"x": 1}, data={"big": "thing"}))
    assert {key: value for key, value in kept.items() if key != FINGERPRINT} == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "thing", "namespace": "lantern-system", **META},
        "status": {"x": 1},
    }


def test_slim_survives_an_object_that_nests_too_deep() -> None:
    deep: Any = {}
    for _ in range(400):
        deep = {"a": deep}
    first = slim(an_object(metadata={"resourceVersion": "1"}, data=deep))
    again = slim(an_object(metadata={"resourceVersion": "2"}, data=deep))
    assert first[FINGERPRINT] != again[FINGERPRINT]


async def test_watch_says_why_a_kind_cannot_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "_WATCH_S", 1.0)
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
        Caches(client) as caches,
    ):
        server.play(afterwards=Reply(status_of(403, "Forbidden", "secrets is forbidden"), 403))
        with pytest.raises(RetryableError, match=r"^establish watch: secrets is forbidden$"):
            await Observer(caches, lambda _: None).watch("uid-1", SECRETS)
