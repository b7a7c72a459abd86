from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import Bundle
from operator_controller.renderer import ConfigurationError, Gates, RenderOptions
from operator_controller.renderer.configuration import Configuration, read_configuration
from tests.bundles import a_bundle

_ALL, _OWN, _SINGLE = "AllNamespaces", "OwnNamespace", "SingleNamespace"
_PREFIX = "invalid ClusterExtension configuration: invalid configuration: "
_PATTERN = 'field "watchNamespace" must match pattern "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"'
_NOT_OWN = (
    'invalid format for field "watchNamespace": \'other\' is not valid ownNamespaceInstallMode: invalid value "other": '
    'must be "ns" (the namespace where the operator is installed) because this operator only supports OwnNamespace '
    "install mode"
)
_NOT_SINGLE = (
    'invalid format for field "watchNamespace": \'ns\' is not valid singleNamespaceInstallMode: invalid value "ns": '
    'must be different from "ns" (the install namespace) because this operator uses SingleNamespace install mode to '
    "watch a different namespace"
)
_ANY_OF = (
    'invalid value for field "watchNamespace"',
    'invalid type for field "watchNamespace": got string, want null',
)


def supporting(*modes: str) -> Bundle:
    return a_bundle(install_modes=frozenset(modes))


def message_of(bundle: Bundle, config: Any, *, as_reference: bool = False) -> str:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(bundle, RenderOptions("ns", config, as_reference=as_reference))
    assert caught.value.reason == "InvalidConfiguration"
    return str(caught.value)


def lines(*findings: str) -> str:
    return (
        "\n  - ".join([f"{_PREFIX}multiple errors found:", *findings]) if len(findings) > 1 else _PREFIX + findings[0]
    )


@pytest.mark.parametrize(
    ("modes", "config", "watch_namespace"),
    [
        pytest.param([_ALL], None, None, id="nothing configured"),
        pytest.param([_ALL, _OWN], {"watchNamespace": None}, None, id="null is not given"),
        pytest.param([_OWN], None, "ns", id="own-only defaults to the install namespace"),
        pytest.param([_OWN], {"watchNamespace": None}, "ns", id="own-only, null"),
        pytest.param([_OWN], {"watchNamespace": "ns"}, "ns", id="own"),
        pytest.param([_SINGLE], {"watchNamespace": "other"}, "other", id="single"),
        pytest.param([_ALL, _OWN, _SINGLE], {"watchNamespace": "other"}, "other", id="all modes"),
    ],
)
def test_read_configuration_gives_the_namespace_to_watch(modes: list[str], config: Any, watch_namespace: str) -> None:
    assert read_configuration(supporting(*modes), RenderOptions("ns", config)) == Configuration(watch_namespace)


@pytest.mark.parametrize("mode", [_OWN, _SINGLE])
def test_read_configuration_accepts_any_namespace_without_install_namespace(mode: str) -> None:
    found = read_configuration(supporting(mode), RenderOptions("", {"watchNamespace": "other"}))
    assert found.watch_namespace == "other"


@pytest.mark.parametrize(
    ("modes", "config", "findings"),
    [
        pytest.param([_OWN, _SINGLE], None, ['required field "watchNamespace" is missing'], id="missing"),
        pytest.param([_ALL], {"watchNamespace": "a"}, ['unknown field "watchNamespace"'], id="unknown"),
        pytest.param([_SINGLE], [], ["invalid type: got array, want object"], id="list at the top"),
        pytest.param(
            [_SINGLE],
            {"watchNamespace": 1},
            ['invalid type for field "watchNamespace": got number, want string'],
            id="number",
        ),
        pytest.param(
            [_SINGLE],
            {"watchNamespace": True},
            ['invalid type for field "watchNamespace": got boolean, want string'],
            id="boolean",
        ),
        pytest.param([_OWN], {"watchNamespace": "other"}, [_NOT_OWN], id="not own"),
        pytest.param([_SINGLE], {"watchNamespace": "ns"}, [_NOT_SINGLE], id="not single"),
        pytest.param([_ALL, _OWN], {"watchNamespace": "other"}, [*_ANY_OF, _NOT_OWN], id="not own, optional"),
        pytest.param([_OWN, _SINGLE], {"watchNamespace": "A"}, [_PATTERN], id="pattern"),
        pytest.param(
            [_OWN, _SINGLE],
            {"watchNamespace": "a" * 64},
            ['field "watchNamespace" must have maximum length of 63 (len=64)'],
            id="too long",
        ),
        pytest.param(
            [_SINGLE],
            {"other": 1},
            ['required field "watchNamespace" is missing', 'unknown field "other"'],
            id="missing before unknown",
        ),
    ],
)
@pytest.mark.parametrize("as_reference", [False, True])
def test_read_configuration_words_findings_as_specified(
    modes: list[str], config: Any, findings: list[str], as_reference: bool
) -> None:
    assert message_of(supporting(*modes), config, as_reference=as_reference) == lines(*findings)


@pytest.mark.parametrize(
    ("modes", "before"),
    [pytest.param([_OWN, _SINGLE], (), id="required"), pytest.param([_ALL, _OWN, _SINGLE], _ANY_OF, id="optional")],
)
def test_read_configuration_announces_two_findings_of_a_value_only_as_reference(
    modes: list[str], before: tuple[str, ...]
) -> None:
    both = ('field "watchNamespace" must have minimum length of 1 (len=0)', _PATTERN)
    config = {"watchNamespace": ""}
    assert message_of(supporting(*modes), config) == lines(*before, *both)
    assert message_of(supporting(*modes), config, as_reference=True) == lines(*before, "validation failed", *both)


@pytest.mark.parametrize(
    ("config", "ours", "reference"),
    [
        pytest.param(
            {"deploymentConfig": {"selector": {}, "foo": 1}, "b": 1, "a": 2},
            [
                'unknown field "foo" (at deploymentConfig.foo)',
                'unknown field "selector" (at deploymentConfig.selector)',
                'unknown field "a"',
                'unknown field "b"',
            ],
            ['unknown field "foo"', 'unknown field "a"'],
            id="unknown fields",
        ),
        pytest.param(
            {"deploymentConfig": {"env": [{"value": 1}, {"name": "A"}, 2], "resources": [], "volumes": {}}},
            [
                "validation failed: deploymentConfig.env[0].name: required",
                "validation failed: deploymentConfig.env[0].value: got number, want string",
                "validation failed: deploymentConfig.env[2]: got number, want object",
                "validation failed: deploymentConfig.resources: got array, want object",
                'invalid type for field "deploymentConfig.volumes": got object, want array',
            ],
            [
                "validation failed",
                "validation failed",
                "validation failed",
                "validation failed",
                'invalid type for field "deploymentConfig.volumes": got object, want array',
            ],
            id="inside typed members",
        ),
        pytest.param(
            {"deploymentConfig": {"resources": {"limits": {"cpu": True}}}},
            ["validation failed: deploymentConfig.resources.limits.cpu: got boolean, want number or string"],
            ["validation failed"],
            id="quantity",
        ),
        pytest.param(
            {"deploymentConfig": {"nodeSelector": {"a": 1, "b": 2}}},
            [
                'invalid type for field "deploymentConfig.nodeSelector.a": got number, want string',
                'invalid type for field "deploymentConfig.nodeSelector.b": got number, want string',
            ],
            [
                "validation failed",
                'invalid type for field "deploymentConfig.nodeSelector.a": got number, want string',
                'invalid type for field "deploymentConfig.nodeSelector.b": got number, want string',
            ],
            id="map of strings",
        ),
    ],
)
def test_read_configuration_adds_path_and_reason(config: Any, ours: list[str], reference: list[str]) -> None:
    assert message_of(supporting(_ALL), config) == lines(*ours)
    assert message_of(supporting(_ALL), config, as_reference=True) == lines(*reference)


@pytest.mark.parametrize(
    ("modes", "config", "field"),
    [([_OWN], {"watchNamespace": None}, "watchNamespace"), ([_ALL], {"deploymentConfig": None}, "deploymentConfig")],
)
def test_read_configuration_takes_null_for_missing_as_reference(modes: list[str], config: Any, field: str) -> None:
    assert message_of(supporting(*modes), config, as_reference=True) == f'{_PREFIX}required field "{field}" is missing'


def test_read_configuration_names_the_place_of_a_bad_quantity() -> None:
    words = (
        "invalid deploymentConfig: failed to unmarshal deploymentConfig: quantities must match the regular expression "
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    )
    config: Any = {"deploymentConfig": {"resources": {"limits": {"cpu": "lots"}}}}
    assert message_of(supporting(_ALL), config, as_reference=True) == words
    assert message_of(supporting(_ALL), config) == f"{words} (at deploymentConfig.resources.limits.cpu)"


def test_read_configuration_gives_the_given_members_in_their_typed_form() -> None:
    config: Any = {"env": [{"name": "A", "value": "", "x": 1}], "nodeSelector": {}, "affinity": None, "resources": {}}
    found = read_configuration(supporting(_ALL), RenderOptions("ns", {"deploymentConfig": config}))
    assert found.deployment_config == {"env": [{"name": "A"}], "nodeSelector": {}, "resources": {}}


def test_read_configuration_refuses_deep_nesting() -> None:
    value: Any = "x"
    for _ in range(200):
        value = [value]
    assert message_of(supporting(_ALL), {"a": value}) == f"{_PREFIX}nested deeper than 150 levels"


def test_read_configuration_checks_nothing_without_config_when_the_gate_is_off() -> None:
    options = RenderOptions("ns", gates=Gates(single_own_namespace=False))
    assert read_configuration(supporting(_SINGLE), options) == Configuration()


_SEVERAL = (
    "several namespaces cannot be watched; give one in watchNamespace, or leave it out where the bundle supports "
    "AllNamespaces"
)


@pytest.mark.parametrize(
    ("config", "finding", "advice"),
    [
        ({"watchNamespaces": ["a", "b"]}, 'unknown field "watchNamespaces"', _SEVERAL),
        ({"targetNamespaces": ["a"]}, 'unknown field "targetNamespaces"', _SEVERAL),
        (
            {"namespaceSelector": {}},
            'unknown field "namespaceSelector"',
            "namespaces cannot be selected by their labels; give one in watchNamespace, or leave it out where the "
            "bundle supports AllNamespaces",
        ),
        ({"deploymentConfig": {}, "other": 1}, 'unknown field "other"', None),
    ],
)
def test_read_configuration_says_what_to_use_instead_of_several_namespaces(
    config: Any, finding: str, advice: str | None
) -> None:
    bundle = supporting(_ALL, _SINGLE)
    assert message_of(bundle, config, as_reference=True) == lines(finding)
    assert message_of(bundle, config) == lines(f"{finding}: {advice}" if advice else finding)


def test_read_configuration_refuses_a_list_of_namespaces_with_advice() -> None:
    bundle, config = supporting(_SINGLE), {"watchNamespace": ["a", "b"]}
    finding = 'invalid type for field "watchNamespace": got array, want string'
    assert message_of(bundle, config, as_reference=True) == lines(finding)
    assert message_of(bundle, config) == lines(f"{finding}: {_SEVERAL}")
