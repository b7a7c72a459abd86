from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer import RenderOptions
from operator_controller.renderer.environment import with_environment
from tests.bundles import a_bundle

_PROXY = {"NO_PROXY": "a", "HTTPS_PROXY": "b", "HTTP_PROXY": ""}
_INJECTED = [{"name": "HTTPS_PROXY", "value": "b"}, {"name": "NO_PROXY", "value": "a"}]
_CONDITION = {"name": "OPERATOR_CONDITION_NAME", "value": "op.v1.0.0"}


@pytest.mark.parametrize(
    ("config", "options", "expected"),
    [
        pytest.param(None, {}, None, id="nothing asked"),
        pytest.param({"env": []}, {"proxy": {"HTTP_PROXY": ""}}, {"env": []}, id="nothing to inject"),
        pytest.param(None, {"proxy": _PROXY}, {"env": _INJECTED}, id="sorted, without empty ones"),
        pytest.param(
            {"env": [{"name": "A"}], "x": 1},
            {"proxy": _PROXY},
            {"env": [{"name": "A"}, *_INJECTED], "x": 1},
            id="added",
        ),
        pytest.param(
            {"env": [{"name": "NO_PROXY"}]},
            {"proxy": _PROXY},
            {"env": [{"name": "NO_PROXY"}]},
            id="user has one of them",
        ),
        pytest.param(None, {"operator_condition": True}, {"env": [_CONDITION]}, id="operator condition"),
        pytest.param({"env": [_CONDITION]}, {"operator_condition": True}, {"env": [_CONDITION]}, id="user has it"),
    ],
)
def test_with_environment_adds_what_the_user_does_not_say(config: Any, options: Any, expected: Any) -> None:
    assert with_environment(config, a_bundle(), RenderOptions("ns", **options)) == expected
