"""A ClusterExtension as plain values: what `olm status -o json` prints, and what its tables are made of. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olm_cli.status.classic_phase import classic_phase_of
from olm_cli.status.state import state_of
from olmv1.api.names import EXTRAS_PREFIX
from olmv1.manifests import annotations_of

__all__ = ["document_of", "version_text"]


def document_of(ext: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the extension wants and has, its state in a word, and its conditions."""
    spec, now = ext.get("spec") or {}, ext.get("status") or {}
    wanted = (spec.get("source") or {}).get("catalog") or {}
    install = now.get("install") or {}
    conditions = now.get("conditions") or ()
    return {
        "name": ext["metadata"]["name"],
        "package": wanted.get("packageName", ""),
        "namespace": spec.get("namespace", ""),
        "serviceAccount": (spec.get("serviceAccount") or {}).get("name"),
        "wanted": {
            "version": wanted.get("version"),
            "channels": list(wanted.get("channels") or ()),
            "policy": wanted.get("upgradeConstraintPolicy") or "CatalogProvided",
        },
        "installed": install.get("bundle"),
        "catalog": install.get("catalog"),
        "isDeleting": bool(ext["metadata"].get("deletionTimestamp")),
        "state": state_of(ext).value,
        "classicPhase": classic_phase_of(ext).value,
        "conditions": [
            {key: condition.get(key, "") for key in ("type", "status", "reason", "message")} for condition in conditions
        ],
        "activeRevisions": [revision["name"] for revision in now.get("activeRevisions") or ()],
        "availableUpgrades": list(now.get("availableUpgrades") or ()),
        "strangeExtras": _strange_extras(ext),
    }


def version_text(bundle: Mapping[str, Any] | None) -> str:
    """The version of a bundle with its release, `-` for none."""
    if not bundle:
        return "-"
    release = f"+{bundle['release']}" if bundle.get("release") else ""
    return f"{bundle['version']}{release}"


def _strange_extras(ext: Mapping[str, Any]) -> list[str]:
    """What is said about annotations of ours that mean nothing: a typing error in them is easily overlooked."""
    annotations = annotations_of(ext)
    if not any(name.startswith(EXTRAS_PREFIX) for name in annotations):
        return []
    from operator_controller.target import strange_extras  # noqa: PLC0415 - slow to import, and few have extras

    return list(strange_extras(annotations))
