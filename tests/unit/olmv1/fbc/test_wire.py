from __future__ import annotations

import pytest

from olmv1.fbc import wire


@pytest.mark.parametrize(
    ("line", "owner"),
    [
        (b'{"name":"foo","package":"bar","schema":"olm.package"}', "foo"),
        (b'{"name":"foo","package":"bar","schema":"olm.bundle"}', "bar"),
        (b'{"name":"foo"}', ""),
    ],
)
def test_head_owner_is_the_package_of_the_blob(line: bytes, owner: str) -> None:
    assert wire.HEAD.read(line).owner == owner
