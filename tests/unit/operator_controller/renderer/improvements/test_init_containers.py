from __future__ import annotations

from typing import Any

from operator_controller.renderer.certificate_volumes import CERTIFICATE_MOUNTS
from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators.deployments import deployments
from operator_controller.renderer.improvements.init_containers import init_containers
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment, a_webhook


def init_mounts(*names: str, config: Any = None) -> list[Any]:
    """The mounts of an init container of a pod that has volumes `cert` and `data`, and serves with `cert`."""
    serving = [{"name": "cert", "mountPath": CERTIFICATE_MOUNTS[0]["mountPath"]}]
    entry = a_deployment(
        volumes=[{"name": "cert"}, {"name": "data"}],
        containers=[{"name": "m", "volumeMounts": serving}],
        initContainers=[{"name": "i", "volumeMounts": [{"name": name, "mountPath": f"/{name}"} for name in names]}],
    )
    bundle = a_bundle(deployments=(entry,), webhooks=(a_webhook(),))
    rendering = Rendering(bundle, "ns", ("",), config, certificates=Certificates.SELF_SIGNED)
    [deployment] = init_containers(tuple(deployments(rendering)), rendering).objects
    return list(deployment["spec"]["template"]["spec"]["initContainers"][0]["volumeMounts"])


def test_init_containers_mount_the_new_certificate_instead_of_the_removed_one() -> None:
    assert init_mounts("data", "cert") == [{"name": "data", "mountPath": "/data"}, *CERTIFICATE_MOUNTS]


def test_init_containers_keep_mounts_that_have_a_volume_or_never_had_one() -> None:
    for name in ("data", "never"):
        assert init_mounts(name) == [{"name": name, "mountPath": f"/{name}"}]


def test_init_containers_keep_a_volume_that_the_configuration_gave_back() -> None:
    config = {"volumes": [{"name": "cert", "emptyDir": {}}]}
    assert init_mounts("cert", config=config) == [{"name": "cert", "mountPath": "/cert"}]


def test_init_containers_leaves_other_objects_and_pods_alone() -> None:
    bundle = a_bundle(deployments=(a_deployment(),))
    rendering = Rendering(bundle, "ns", ("",))
    given = ({"kind": "Service"}, *deployments(rendering))
    assert [
        after is before for before, after in zip(given, init_containers(given, rendering).objects, strict=True)
    ] == [
        True,
        True,
    ]
