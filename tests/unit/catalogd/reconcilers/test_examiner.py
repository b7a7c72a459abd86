from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from catalogd.reconcilers import examiner as examiner_module
from catalogd.reconcilers.examiner import Examiner, Verdict
from catalogd.store import Store
from olmv1.fbc.validation import FileLines
from tests.contents import LEDGER, a_ref, store_content
from tests.waiting import eventually

# A bundle without properties and with a broken digest, and what comes of it.
FINDINGS = [
    'package "ledger" bundle "ledger.v1.0.0" must have exactly 1 "olm.package" property, found 0',
    'package "ledger" bundle "ledger.v1.0.0" image: invalid image pull spec "registry.example/ledger@sha256:00": '
    "invalid reference format",
]
GOOD = b"schema: olm.package\nname: a\ndefaultChannel: b\n---\nschema: olm.channel\npackage: a\nname: b\nentries: []\n"


@pytest.fixture
async def examiner(store: Store) -> AsyncIterator[Examiner]:
    made = Examiner(store)
    running = asyncio.create_task(made.run())
    yield made
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_examiner_counts_what_is_wrong_and_tells_of_it(store: Store, examiner: Examiner) -> None:
    snapshot = store_content(store)
    told: list[Verdict] = []
    examiner.examine("team", files=[FileLines("ledger.yaml", 4)], tell=told.append)
    await eventually(lambda: told)
    verdict = told[0]
    assert (verdict.content_digest, verdict.errors, verdict.warnings) == (snapshot.manifest.content_digest, 2, 0)
    assert [(str(f.place), f.message) for f in verdict.first] == [("ledger.yaml, document 3", m) for m in FINDINGS]
    assert examiner.verdicts() == {"team": verdict}


async def test_examiner_tells_of_a_content_once(store: Store, examiner: Examiner) -> None:
    store_content(store)
    told: list[Verdict] = []
    examiner.examine("team", tell=told.append)
    await eventually(lambda: told)
    store_content(store, ref=a_ref("ab"))  # the same content in another image
    examiner.examine("team", tell=told.append)
    store_content(store, "other", [GOOD])
    examiner.examine("other")
    await eventually(lambda: "other" in examiner.verdicts())
    assert len(told) == 1
    assert "team" in examiner.verdicts()


async def test_examiner_looks_at_everything_that_a_restart_found(store: Store, examiner: Examiner) -> None:
    store_content(store, "a")
    store_content(store, "b", [GOOD])
    examiner.examine_all()
    await eventually(lambda: len(examiner.verdicts()) == 2)
    assert {name: verdict.errors for name, verdict in examiner.verdicts().items()} == {"a": 2, "b": 1}


async def test_examiner_forgets_content_that_is_not_served_any_more(store: Store, examiner: Examiner) -> None:
    store_content(store)
    examiner.examine("team")
    await eventually(examiner.verdicts)
    store_content(store, files=[GOOD], ref=a_ref("ab"))
    assert examiner.verdicts() == {}
    examiner.examine("team")
    await eventually(examiner.verdicts)
    store.remove("team")
    assert examiner.verdicts() == {}
    examiner.examine("team")  # nothing is served: nothing is looked at
    assert examiner.verdicts() == {}


async def test_examiner_leaves_blobs_alone_that_would_hold_up_everything(
    store: Store, examiner: Examiner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examiner_module, "_LONGEST_LINE_BYTES", 100)
    store_content(store, "long", [LEDGER + b"---\nschema: custom\ntext: " + b"x" * 101])
    store_content(store, "short", [GOOD])
    examiner.examine_all()
    await eventually(examiner.verdicts)
    assert list(examiner.verdicts()) == ["short"]


async def test_examiner_stops_when_content_is_replaced(
    store: Store, examiner: Examiner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examiner_module, "_SLICE_S", 0.0)
    store_content(store, files=[b"\n---\n".join(b"schema: s\nname: n%d" % n for n in range(20_000))])
    told: list[Verdict] = []
    examiner.examine("team", tell=told.append)
    await asyncio.sleep(0)  # one step, in which the examiner begins
    store_content(store, files=[GOOD], ref=a_ref("ab"))
    examiner.examine("team", tell=told.append)
    await eventually(lambda: told)
    assert [verdict.errors for verdict in told] == [1]
