"""Values of the chart in `charts/olmv1` that switch on whatever can be switched on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["EVERYTHING"]

EVERYTHING: Mapping[str, Any] = {
    "catalogd": {
        "replicas": 2,
        "verbosity": 1,
        "featureGates": {"APIV1MetasHandler": False},
        "extraFlags": {"gc-interval": "1h", "max-downloads": 1000000},
        "cache": {"sizeLimit": "2Gi"},
    },
    "operatorController": {
        "replicas": 3,
        "webhookCertificates": "none",
        "featureGates": {"WebhookProviderCertManager": False},
        "extraFlags": {"workers": 4, "leader-elect": False},
    },
    "namespace": {"create": True},
    "crds": {"operatorConditions": True},
    "catalogs": {"lights": {"image": "registry.example.com/lights:v1", "priority": -5, "pollIntervalMinutes": 10}},
    "globalPullSecret": {"namespace": "logins", "name": "pull"},
    "imagePullSecrets": ["one", "two"],
    "proxy": {
        "http": "http://proxy.example.com:3128",
        "https": "http://proxy.example.com:3129",
        "bypass": "10.0.0.0/8",
    },
    "registries": {"conf": "a = 1\n", "policy": "{}", "requirePolicy": True, "authoritiesConfigMap": "cas"},
    "tls": {"profile": "custom", "customVersion": "TLSv1.3", "customCurves": ["X25519"]},
    "unscopedExtensions": {"allow": True, "clusterRole": "cluster-admin"},
    "monitoring": {
        "serviceMonitor": {"enabled": True, "prometheusAccount": {"namespace": "monitoring", "name": "prometheus"}},
        "prometheusRule": {"enabled": True},
        "dashboard": {"enabled": True},
    },
}
