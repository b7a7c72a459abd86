from __future__ import annotations

from operator_controller.renderer.improvements import Improved, improved
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle


def test_improved_warns_once_of_one_thing() -> None:
    subjects = [{"kind": "ServiceAccount", "name": "a", "namespace": "theirs"}]
    binding = {"kind": "RoleBinding", "metadata": {"name": "b", "namespace": "ns"}, "subjects": subjects}
    rendering = Rendering(a_bundle(others=(binding, binding), other_paths=("x", "y")), "ns", ("",))
    assert improved((binding, binding), rendering) == Improved(
        (binding,),
        (
            'RoleBinding "b" gives rights to ServiceAccount "theirs/a", which is not of the bundle',
            'RoleBinding "b" is rendered once; it comes from x and y',
        ),
    )
