from __future__ import annotations

import pytest

from olmv1.kube.paging import next_limit


@pytest.mark.parametrize(
    ("count", "size_bytes", "limit"),
    [
        pytest.param(0, 0, 250, id="first page"),
        pytest.param(250, 250 * 20_000, 104, id="20 kB each"),
        pytest.param(250, 250 * 1_000_000, 20, id="never below 20"),
        pytest.param(250, 250 * 100, 500, id="never above 500"),
    ],
)
def test_next_limit_aims_at_two_megabytes(count: int, size_bytes: int, limit: int) -> None:
    assert next_limit(count, size_bytes) == limit
