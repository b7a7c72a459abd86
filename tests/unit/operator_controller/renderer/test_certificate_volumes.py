from __future__ import annotations

from typing import Any

from operator_controller.renderer.certificate_volumes import CERTIFICATE_MOUNTS, with_certificate_volumes

_WEBHOOK, _APISERVICE = CERTIFICATE_MOUNTS


def volumes_of(secret: str) -> list[dict[str, Any]]:
    files = {"webhook-cert": ("tls.crt", "tls.key"), "apiservice-cert": ("apiserver.crt", "apiserver.key")}
    return [
        {
            "name": name,
            "secret": {
                "secretName": secret,
                "items": [{"key": "tls.crt", "path": cert}, {"key": "tls.key", "path": key}],
            },
        }
        for name, (cert, key) in files.items()
    ]


def mount(name: str, path: str) -> dict[str, str]:
    return {"name": name, "mountPath": path}


def test_with_certificate_volumes_mounts_both_in_every_container() -> None:
    pod = {"containers": [{"name": "a"}, {"name": "b", "volumeMounts": [mount("data", "/data")]}]}
    assert with_certificate_volumes(pod, "s") == {
        "containers": [
            {"name": "a", "volumeMounts": [_WEBHOOK, _APISERVICE]},
            {"name": "b", "volumeMounts": [mount("data", "/data"), _WEBHOOK, _APISERVICE]},
        ],
        "volumes": volumes_of("s"),
    }


def test_with_certificate_volumes_takes_the_place_of_what_was_mounted_there_but_for_init_containers() -> None:
    own = [{"name": name} for name in ("cert", "keep", "webhook-cert", "api")]
    mounts = [mount("cert", _WEBHOOK["mountPath"]), mount("keep", "/k"), mount("api", _APISERVICE["mountPath"])]
    elsewhere = {"name": "b", "volumeMounts": [mount("cert", "/elsewhere")]}
    init = {"name": "i", "volumeMounts": [mount("cert", "/i")]}
    pod = {"volumes": own, "containers": [{"name": "a", "volumeMounts": mounts}, elsewhere], "initContainers": [init]}
    rendered = with_certificate_volumes(pod, "s")
    assert rendered["volumes"] == [{"name": "keep"}, *volumes_of("s")]
    assert [each["volumeMounts"] for each in rendered["containers"]] == [
        [mount("keep", "/k"), _WEBHOOK, _APISERVICE],
        [_WEBHOOK, _APISERVICE],
    ]
    assert rendered["initContainers"] == [init]


def test_with_certificate_volumes_leaves_absent_containers_absent() -> None:
    assert with_certificate_volumes({"containers": None}, "s")["containers"] is None
