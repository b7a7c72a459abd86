from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from structlog.testing import capture_logs

from olmv1.kube.intake import Intake
from olmv1.kube.resources import CONFIG_MAPS
from olmv1.kube.watch import WatchQuery
from olmv1.manifests import Manifest

QUERY = WatchQuery(CONFIG_MAPS)
METADATA = {"name": "a", "namespace": "shop", "resourceVersion": "1"}
OBJECT: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": METADATA, "data": {"x": "secret"}}
LINE = {
    "event": "object not understood",
    "log_level": "warning",
    "module": "olmv1.kube.intake",
    "kind": "ConfigMap",
    "namespace": "shop",
    "object": "a",
}


def fail(manifest: Manifest) -> Any:
    raise KeyError(manifest["kind"])


def nameless(_: Manifest) -> Manifest:
    return {"metadata": {"name": "other"}}


@pytest.mark.parametrize(
    ("transform", "fault"),
    [
        pytest.param(fail, "transform failed", id="raises"),
        pytest.param(nameless, "transform lost the name of an object", id="other name"),
        pytest.param(lambda _: None, "transform failed", id="nothing"),
    ],
)
def test_kept_is_the_metadata_when_the_transform_fails(transform: Any, fault: str) -> None:
    intake = Intake(QUERY, transform)
    with capture_logs() as lines:
        kept = [intake.kept(OBJECT), intake.kept(OBJECT)]
    assert kept == [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": METADATA}] * 2
    assert [{key: value for key, value in line.items() if key != "exc_info"} for line in lines] == [
        {**LINE, "fault": fault}
    ]


@pytest.mark.parametrize("metadata", [None, [], {}, {"name": ""}, {"name": 1}, {"name": "a", "namespace": []}])
def test_kept_is_nothing_for_an_object_without_a_name(metadata: object) -> None:
    intake = Intake(QUERY, None)
    with capture_logs() as lines:
        assert (intake.kept({"metadata": metadata}), intake.kept({"metadata": metadata})) == (None, None)
    assert [line["fault"] for line in lines] == ["object without a name left out"]


def test_kept_is_logged_again_for_a_new_object_of_the_name() -> None:
    intake = Intake(QUERY, fail)
    with capture_logs() as lines:
        intake.kept(OBJECT)
        intake.forget(("shop", "a"))
        intake.kept(OBJECT)
    assert [line["fault"] for line in lines] == ["transform failed"] * 2


def test_keys_are_none_for_an_object_that_the_index_fails_at() -> None:
    def owners(manifest: Manifest) -> Iterable[str]:
        yield manifest["metadata"]["owner"]

    guarded = Intake(QUERY, None).keys("owners", owners)
    with capture_logs() as lines:
        assert [guarded(OBJECT), guarded(OBJECT), guarded({"metadata": {"owner": "x"}})] == [(), (), ("x",)]
    assert [line["fault"] for line in lines] == ["index owners failed"]
