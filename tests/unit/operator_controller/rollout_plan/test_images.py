from __future__ import annotations

from typing import Any

from operator_controller.rollout_plan import ImageChanges
from operator_controller.rollout_plan.images import image_changes


def a_workload(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": "x"}, "spec": spec}


def of(*images: str, **members: Any) -> dict[str, Any]:
    return {"containers": [{"name": str(number), "image": image} for number, image in enumerate(images)], **members}


def test_images_come_and_go() -> None:
    old = [a_workload("Deployment", {"template": {"spec": of("a:1", "b:1")}}), a_workload("Pod", of("c:1"))]
    new = [a_workload("Deployment", {"template": {"spec": of("a:2", "b:1")}})]
    assert image_changes(old, new) == ImageChanges(added=("a:2",), removed=("a:1", "c:1"))


def test_every_place_of_an_image_counts() -> None:
    related = [
        {"name": "RELATED_IMAGE_DB", "value": "db:1"},
        {"name": "RELATED_IMAGE_NONE", "value": ""},
        {"name": "OTHER", "value": "no-image"},
        "odd",
    ]
    pod = {"containers": [{"image": "main:1", "env": related}, {"image": 7}], "initContainers": [{"image": "init:1"}]}
    job = {"jobTemplate": {"spec": {"template": {"spec": pod}}}}
    assert image_changes((), [a_workload("CronJob", job)]).added == ("db:1", "init:1", "main:1")


def test_objects_that_run_nothing_have_no_images() -> None:
    odd = [a_workload("Deployment", {"template": "odd"}), {"kind": "Pod"}, a_workload("Lamp", of("a:1"))]
    assert image_changes(odd, ()) == ImageChanges()
