from __future__ import annotations

from operator_controller.renderer.improvements.content import content
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle

_RENDERING = Rendering(a_bundle(), "ns", ("",))


def test_content_warns_of_a_bundle_that_installs_nothing() -> None:
    text = 'bundle "op.v1.0.0" installs nothing: it has no deployments, no CRDs and no other objects'
    assert content((), _RENDERING).warnings == (text,)


def test_content_is_silent_otherwise() -> None:
    assert content(({"kind": "Secret"},), _RENDERING).warnings == ()
