"""Argo CD's health checks of `config/monitoring`, run as it runs them: Lua 5.1, base and table libraries only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped]

__all__ = ["CHECKS", "health"]

_PATCH = Path(__file__).parents[1] / "config" / "monitoring" / "argocd-health.yaml"
_PREFIX = "resource.customizations.health."
_ABSENT = ("string", "io", "math", "debug", "os", "python")

CHECKS: Mapping[str, str] = {
    key.removeprefix(_PREFIX): script
    for key, script in yaml.safe_load(_PATCH.read_text(encoding="utf-8"))["data"].items()
}
"""The scripts by `<group>_<kind>`."""


def health(manifest: Mapping[str, Any]) -> tuple[str, str]:
    """The status and message that Argo CD shows for an object."""
    group = str(manifest["apiVersion"]).partition("/")[0]
    lua = LuaRuntime(unpack_returned_tuples=True)
    for name in _ABSENT:
        lua.execute(f"{name} = nil")
    lua.globals().obj = _table(lua, manifest)
    answer = lua.execute(CHECKS[f"{group}_{manifest['kind']}"])
    return str(answer.status), str(answer.message)


def _table(lua: Any, value: Any) -> Any:
    if isinstance(value, Mapping):
        return lua.table_from({key: _table(lua, each) for key, each in value.items()})
    if isinstance(value, list):
        return lua.table_from([_table(lua, each) for each in value])
    return value
