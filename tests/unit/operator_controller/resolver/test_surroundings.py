from __future__ import annotations

import base64
import json
from typing import Any

import msgspec

from olmv1.fbc import Bundle, Property
from operator_controller.resolver import Request, resolve
from tests.packages import a_bundle, a_catalog, a_package


def a_bundle_with(**spec: Any) -> Bundle:
    csv = json.dumps({"kind": "ClusterServiceVersion", "spec": spec}).encode()
    value = msgspec.Raw(json.dumps({"data": base64.b64encode(csv).decode()}).encode())
    bundle = a_bundle("1.0.0")
    return msgspec.structs.replace(bundle, properties=(*bundle.properties, Property("olm.bundle.object", value)))


def advice(**spec: Any) -> list[object]:
    trace = resolve(Request("p"), [a_catalog(a_package([a_bundle_with(**spec)]))]).trace
    assert trace.to_json()["advice"] == list(trace.advice)
    return list(trace.advice)


def test_advice_tells_of_install_modes_and_webhooks_without_removing_anything() -> None:
    modes = [{"type": name, "supported": name != "AllNamespaces"} for name in ("SingleNamespace", "AllNamespaces")]
    assert advice(installModes=modes, webhookdefinitions=[{}]) == [
        'bundle "p.v1.0.0" does not support install mode AllNamespaces, only [SingleNamespace]',
        'bundle "p.v1.0.0" has webhooks, which need certificates',
    ]


def test_advice_is_silent_about_what_is_usual_or_unknown() -> None:
    assert advice(installModes=[{"type": "AllNamespaces", "supported": True}]) == []
    assert advice() == []
