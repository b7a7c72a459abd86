"""How many objects to ask for in the next page of a list. Pure; called by `olmv1.kube.client`."""

from __future__ import annotations

__all__ = ["next_limit"]

# Parsing 2 MB holds the loop for about 10 ms.
_PAGE_BYTES = 2 << 20
_LARGEST, _SMALLEST, _FIRST = 500, 20, 250


def next_limit(count: int, size_bytes: int) -> int:
    """The number of objects that makes a page of about 2 MB, judged by the last page of `count` objects.

    The first page (nothing seen yet) asks for 250; later ones for 20 to 500.
    """
    if not count:
        return _FIRST
    return max(_SMALLEST, min(_LARGEST, _PAGE_BYTES * count // max(size_bytes, 1)))
