from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer import Gates, RenderOptions
from operator_controller.renderer.configuration.required import REQUIRED_MEMBERS
from operator_controller.renderer.configuration.schema import is_own_only, narrowed_to, schema_of
from tests.bundles import a_bundle

_ALL, _OWN, _SINGLE, _MULTI = "AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"
_NAME = {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
_OWN_NAME = {**_NAME, "format": "ownNamespaceInstallMode"}
_SINGLE_NAME = {**_NAME, "format": "singleNamespaceInstallMode"}


def optional(schema: Any) -> dict[str, Any]:
    return {"anyOf": [{"type": "null"}, schema]}


@pytest.mark.parametrize(
    ("modes", "schema", "required"),
    [
        ([_ALL], None, []),
        ([_MULTI], None, []),
        ([], None, []),
        ([_OWN, _MULTI], _OWN_NAME, ["watchNamespace"]),
        ([_SINGLE], _SINGLE_NAME, ["watchNamespace"]),
        ([_OWN, _SINGLE], _NAME, ["watchNamespace"]),
        ([_ALL, _OWN], optional(_OWN_NAME), []),
        ([_ALL, _SINGLE], optional(_SINGLE_NAME), []),
        ([_ALL, _OWN, _SINGLE], optional(_NAME), []),
    ],
)
def test_schema_of_follows_the_install_modes(modes: list[str], schema: Any, required: list[str]) -> None:
    made = schema_of(a_bundle(install_modes=frozenset(modes)), RenderOptions("ns", as_reference=True))
    assert (made["properties"].get("watchNamespace"), made["required"]) == (schema, required)


def test_schema_of_an_own_only_bundle_requires_nothing_but_for_the_reference() -> None:
    bundle = a_bundle(install_modes=frozenset({_OWN}))
    assert is_own_only(bundle)
    assert schema_of(bundle, RenderOptions("ns"))["required"] == []


def test_schema_of_leaves_out_deployment_config_when_its_gate_is_off() -> None:
    made = schema_of(a_bundle(), RenderOptions("ns", gates=Gates(deployment_config=False)))
    assert (made["properties"], made["definitions"]) == ({}, {})


def test_schema_of_describes_deployment_config_without_selector() -> None:
    made = schema_of(a_bundle(), RenderOptions("ns"))
    config = made["properties"]["deploymentConfig"]
    assert config["additionalProperties"] is False
    assert sorted(config["properties"]) == sorted(
        [
            "affinity",
            "annotations",
            "env",
            "envFrom",
            "nodeSelector",
            "resources",
            "tolerations",
            "volumeMounts",
            "volumes",
        ]
    )
    assert config["properties"]["env"] == {"type": "array", "items": {"$ref": "#/definitions/EnvVar"}}


def test_schema_of_defines_every_type_that_is_reached_with_its_required_members() -> None:
    definitions = schema_of(a_bundle(), RenderOptions("ns"))["definitions"]
    assert {name: tuple(made["required"]) for name, made in definitions.items() if made["required"]} == REQUIRED_MEMBERS
    assert definitions["VolumeMount"]["required"] == ["name", "mountPath"]
    assert all(set(made["required"]) <= set(made["properties"]) for made in definitions.values())


@pytest.mark.parametrize("config", [{}, {"watchNamespace": "a"}, None, []])
def test_narrowed_to_leaves_out_types_that_nothing_is_checked_against(config: Any) -> None:
    made = schema_of(a_bundle(install_modes=frozenset({_ALL, _OWN})), RenderOptions("ns"))
    narrowed = narrowed_to(config, made)
    assert (list(narrowed["properties"]), narrowed["definitions"]) == (["watchNamespace"], {})
    assert narrowed_to({"deploymentConfig": None}, made) is made
