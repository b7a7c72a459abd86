from __future__ import annotations

import pytest

from catalogd.store import Store
from catalogd.store import snapshot as snapshot_module
from tests.contents import LEDGER, lines_of, store_content


@pytest.mark.parametrize("chunk_bytes", [1, 7, 100, 1 << 20])
def test_lines_of_a_snapshot_are_its_blobs(store: Store, chunk_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = store_content(store)
    monkeypatch.setattr(snapshot_module, "_CHUNK_BYTES", chunk_bytes)
    assert list(snapshot.lines()) == [line.rstrip(b"\n") for line in lines_of(LEDGER)]
