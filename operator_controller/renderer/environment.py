"""Environment variables that are injected into all containers beside those of `deploymentConfig`.

Called when the inputs of the generators are put together. Rule: bundle-rendering.md 14; decision 19.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operator_controller.bundle import Bundle
from operator_controller.renderer.extras.operator_condition import ENV_NAME
from operator_controller.renderer.options import RenderOptions

__all__ = ["with_environment"]

_PROXY = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"})


def with_environment(
    config: Mapping[str, Any] | None, bundle: Bundle, options: RenderOptions
) -> Mapping[str, Any] | None:
    """`config` with the environment that `options` asks for added to its own; what the user says wins.

    As in classic OLM, one proxy variable in the user's configuration keeps all of the cluster's out.
    """
    own = list((config or {}).get("env") or ())
    names = {entry["name"] for entry in own}
    proxy = {} if names & _PROXY else dict(options.proxy or {})
    added = {name: value for name, value in sorted(proxy.items()) if value}
    if options.operator_condition and ENV_NAME not in names:
        added[ENV_NAME] = bundle.csv_name
    if not added:
        return config
    return {**(config or {}), "env": [*own, *({"name": name, "value": value} for name, value in added.items())]}
