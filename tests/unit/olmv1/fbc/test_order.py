from __future__ import annotations

from olmv1.fbc import Blob, published_order


def test_published_order_is_by_package_then_kind_then_name() -> None:
    wanted = [
        Blob("olm.package", "", "a", b""),
        Blob("olm.channel", "a", "c1", b""),
        Blob("olm.channel", "a", "c2", b""),
        Blob("olm.bundle", "a", "b", b""),
        Blob("custom.a", "a", "z", b""),
        Blob("custom.b", "a", "y", b"1"),
        Blob("custom.b", "a", "x", b"2"),
        Blob("olm.deprecations", "a", "", b""),
        Blob("olm.package", "", "b", b""),
        Blob("custom.a", "", "", b""),
    ]
    turned = [*wanted[5:7], *reversed(wanted[:5]), *reversed(wanted[7:])]
    assert list(published_order(turned)) == wanted
