from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import BundleError
from operator_controller.renderer.improvements.api_limits import api_limits
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle

_RENDERING = Rendering(a_bundle(), "ns", ("",))


def an_object(kind: str, name: str, **labels: str) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": name, "labels": labels}}


def test_api_limits_accepts_what_the_api_server_takes() -> None:
    given = (an_object("Service", "s" * 63, a="A.b_c-1" + "x" * 56, b=""), an_object("ClusterRole", "r" * 253))
    assert api_limits(given, _RENDERING) == Improved(given)


def test_api_limits_names_every_finding() -> None:
    template = {"metadata": {"labels": {"pod": "-"}}}
    deployment = {**an_object("Deployment", "d", own="ö"), "spec": {"template": template}}
    given = (an_object("Service", "s" * 64), an_object("Role", "r" * 254), {"kind": "Secret"}, deployment)
    with pytest.raises(BundleError) as caught:
        api_limits(given, _RENDERING)
    assert str(caught.value).split("\n") == [
        f'Service "{"s" * 64}": the name has 64 characters, at most 63 are possible',
        f'Role "{"r" * 254}": the name has 254 characters, at most 253 are possible',
        "Secret in the bundle has no name",
        'Deployment "d": "ö" cannot be the value of label "own"',
        'Deployment "d": "-" cannot be the value of label "pod"',
    ]
