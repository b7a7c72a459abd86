"""Names of generated objects, equal to the reference's, so that an extension can move between the two.

Rule: bundle-rendering.md 10.1.
"""

from __future__ import annotations

import hashlib
from typing import Any

from operator_controller.bundle import Permission
from operator_controller.bundle.json_values import compact_json

__all__ = [
    "SERVICE_NAME_LIMIT",
    "cert_name",
    "issuer_name",
    "join_name",
    "rbac_name",
    "service_account_name",
    "service_name",
    "short_service_name",
]

SERVICE_NAME_LIMIT = 63  # of the API server

_MAX_BYTES = 63
_SERVICE = "-service"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_RULE_FIELDS = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")


def join_name(first: str, suffix: str) -> str:
    """`<first>-<suffix>`, the first part cut to make room for the second.

    Limit: 63 bytes, 64 when the lengths of the parts add up to exactly 63 (kept: names must stay equal).
    """
    encoded = first.encode()
    if len(encoded) + len(suffix) > _MAX_BYTES:
        encoded = encoded[: _MAX_BYTES - len(suffix) - 1]
    return f"{encoded.decode(errors='ignore')}-{suffix}"


def service_account_name(permission: Permission) -> str:
    """The account that gets the permission; an empty name stands for `default`."""
    return permission.service_account or "default"


def rbac_name(csv_name: str, permission: Permission) -> str:
    """The name of the role and binding of `permission`, with a hash of its account and rules."""
    return join_name(f"{csv_name}-{service_account_name(permission)}", _hash(permission))


def service_name(deployment: str) -> str:
    """The Service in front of the webhooks of `deployment`."""
    return join_name(deployment.replace(".", "-"), _SERVICE.removeprefix("-"))


def short_service_name(deployment: str) -> str:
    """The same Service where its name would be one byte too long for the API server."""
    name = service_name(deployment)
    too_long = len(name.encode()) - SERVICE_NAME_LIMIT
    return name if too_long <= 0 else f"{name.removesuffix(_SERVICE)[:-too_long]}{_SERVICE}"


def cert_name(deployment: str) -> str:
    """The Secret with the serving certificate of `deployment`, and the cert-manager Certificate that asks for it."""
    return join_name(service_name(deployment), "cert")


def issuer_name(deployment: str) -> str:
    """The cert-manager Issuer of the certificate of `deployment`."""
    return join_name(cert_name(deployment), "selfsigned-issuer")


def _hash(permission: Permission) -> str:
    rules = None if permission.rules is None else [_ordered(rule) for rule in permission.rules]
    text = compact_json({"serviceAccountName": permission.service_account, "rules": rules}, sort_keys=False)
    return _base36(int.from_bytes(hashlib.sha224(f"{text}\n".encode()).digest(), "big"))


def _ordered(rule: Any) -> dict[str, Any]:
    """The rule in the order of its API type, without empty members but for `verbs`."""
    return {name: rule.get(name) for name in _RULE_FIELDS if rule.get(name) or name == "verbs"}


def _base36(value: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
