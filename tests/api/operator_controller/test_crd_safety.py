"""What the checks believe about schemas is what the API server does; and `olm crd-check` against a cluster."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from devcluster.cluster import Cluster
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.errors import Invalid
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from operator_controller.crd_safety.bounded import bounded
from operator_controller.crd_safety.pruning import filled, pruned
from operator_controller.crd_safety.validity import Validity
from tests.definitions import a_definition, a_lamp, a_schema, a_version
from tests.olm_command import Said, olm_process

STRING = {"type": "string"}
KEEP = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
INNER = {"type": "object", "properties": {"a": STRING, "b": {"type": "integer", "default": 1}}}
FIELDS = {
    "plain": INNER,
    "kept": {**KEEP, "properties": {"inner": INNER}},
    "map": {"type": "object", "additionalProperties": INNER},
    "list": {"type": "array", "items": INNER},
    "set": {"type": "array", "items": STRING, "x-kubernetes-list-type": "set"},
    "keyed": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a"],
        "items": {"type": "object", "required": ["a"], "properties": {"a": STRING}},
    },
    "embedded": {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": INNER}},
    "intOrString": {"x-kubernetes-int-or-string": True},
    "nullable": {"type": "string", "nullable": True, "default": "x"},
    "defaulted": {"type": "string", "default": "x"},
    "wanted": {"type": "object", "required": ["a"], "properties": {"a": STRING}},
    "text": {"type": "string", "pattern": "^a+$", "maxLength": 3},
    "number": {"type": "integer", "minimum": 3, "exclusiveMinimum": True},
    "choice": {"type": "string", "enum": ["day", "night"]},
    "nullableChoice": {"type": "string", "enum": ["day"], "nullable": True},
    "nullableListed": {"type": "string", "enum": ["day", None], "nullable": True},
    "date": {"type": "string", "format": "date-time"},
    "either": {
        "type": "object",
        "properties": {"a": STRING, "b": STRING},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    },
    "anyMap": {"type": "object", "additionalProperties": True},
}
VALUES: list[dict[str, Any]] = [
    {"plain": {"a": "x", "c": {"d": 1}}},
    {"plain": {"a": None}},
    {"kept": {"x": {"y": None}, "inner": {"c": 1}}},
    {"map": {"k": {"a": "x", "c": 1}, "l": {"b": None}}},
    {"list": [{"c": 1}, {"a": "x", "b": 2}]},
    {"set": ["a", "b"]},
    {"set": ["a", "a"]},
    {"keyed": [{"a": "x"}, {"a": "x"}]},
    {"keyed": [{"a": "x"}, {"a": "y", "c": 1}]},
    {"embedded": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"c": 1}, "other": 2}},
    {"intOrString": 3},
    {"intOrString": "50%"},
    {"intOrString": True},
    {"nullable": None},
    {"defaulted": None},
    {"wanted": {"a": None}},
    {"wanted": {}},
    {"text": "aaa"},
    {"text": "aaaa"},
    {"text": "b"},
    {"number": 3},
    {"number": 4.0},
    {"number": 4.5},
    {"choice": "noon"},
    {"nullableChoice": None},
    {"nullableListed": None},
    {"date": "2026-01-01T00:00:00Z"},
    {"date": "today"},
    {"either": {"a": "x"}},
    {"either": {"a": "x", "b": "y"}},
    {"anyMap": {"k": {"l": 1}}},
    {"unknown": {"a": 1}},
]


@pytest.fixture
async def client(cluster: Cluster) -> AsyncIterator[KubeClient]:
    async with await KubeClient.connect(str(cluster.kubeconfig), user_agent="test/1") as connected:
        yield connected


@pytest.fixture
async def lamps(client: KubeClient) -> AsyncIterator[Resource]:
    """The resource of a definition of this test's own with every kind of field."""
    group = f"g{uuid4().hex[:8]}.example.com"
    definition = of_group(a_definition(a_version(schema=a_schema(**FIELDS))), group)
    await client.create(CUSTOM_RESOURCE_DEFINITIONS, definition)
    discovery = Discovery(client)
    async with asyncio.timeout(20):
        while not await discovery.serves(group, "Lamp"):  # noqa: ASYNC110 - the condition is the server's
            await asyncio.sleep(0.1)
    yield Resource(group, "v1", "lamps", "Lamp", namespaced=True)
    await client.delete(CUSTOM_RESOURCE_DEFINITIONS, f"lamps.{group}")


def of_group(definition: dict[str, Any], group: str) -> dict[str, Any]:
    spec = {**definition["spec"], "group": group}
    return {**definition, "metadata": {"name": f"lamps.{group}"}, "spec": spec}


def a_lamp_of(resource: Resource, name: str, **spec: Any) -> dict[str, Any]:
    lamp = a_lamp(name, **spec)
    return {**lamp, "apiVersion": resource.api_version, "metadata": {"name": name, "namespace": "default"}}


async def answer_of(client: KubeClient, resource: Resource, lamp: dict[str, Any]) -> Any:
    """The spec as the API server would store it; `None` when it refuses."""
    try:
        return (await client.create(resource, lamp, dry_run=True))["spec"]
    except Invalid:
        return None


async def test_api_server_prunes_defaults_and_refuses_as_expected(client: KubeClient, lamps: Resource) -> None:
    schema = a_schema(**FIELDS)
    validity = Validity(schema)
    expected, found = [], []
    for value in VALUES:
        lamp = a_lamp_of(lamps, "desk", **value)
        left, _ = filled(schema, pruned(schema, bounded(lamp))[0])
        expected.append((value, None if validity.faults(left) else left["spec"]))
        found.append((value, await answer_of(client, lamps, lamp)))
    assert expected == found


def checked(cluster: Cluster, *arguments: str) -> Said:
    return olm_process("crd-check", *arguments, "--kubeconfig", str(cluster.kubeconfig), "-o", "json")


async def test_crd_check_names_the_objects_of_a_cluster(
    cluster: Cluster, client: KubeClient, lamps: Resource, tmp_path: Path
) -> None:
    for number in range(3):
        await client.create(
            lamps, a_lamp_of(lamps, f"lamp-{number}", text="aa", **({"choice": "day"} if number else {}))
        )
    fields = {name: field for name, field in FIELDS.items() if name != "choice"}
    new = tmp_path / "new.json"
    new.write_text(json.dumps(of_group(a_definition(a_version(schema=a_schema(**fields))), lamps.group)))
    said = checked(cluster, "cluster", str(new))
    [document] = said.json
    objects = {each["path"]: each["objects"] for each in document["findings"]}
    assert (said.code, document["result"]) == (1, "blocked")
    assert objects == {"^.spec.choice": {"count": 2, "names": ["default/lamp-1", "default/lamp-2"]}}
    accepted = checked(cluster, "cluster", str(new), "--accept", document["findings"][0]["id"])
    assert (accepted.code, accepted.json[0]["result"]) == (0, "safe")
    bounded = checked(cluster, "cluster", str(new), "--max-objects", "1")
    assert (bounded.code, bounded.json[0]["result"]) == (3, "unknown")
