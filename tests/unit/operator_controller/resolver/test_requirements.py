from __future__ import annotations

import pytest

from operator_controller.resolver.requirements import unsupported_requirement
from tests.packages import a_bundle


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ([], None),
        (["olm.gvk"], None),
        (["olm.gvk", "olm.constraint", "olm.package.required"], "olm.constraint"),
        (["olm.gvk.required"], "olm.gvk.required"),
        (["olm.package.required"], "olm.package.required"),
    ],
)
def test_unsupported_requirement_is_the_first_in_the_bundle(types: list[str], expected: str | None) -> None:
    assert unsupported_requirement(a_bundle("1.0.0", requires=types)) == expected
