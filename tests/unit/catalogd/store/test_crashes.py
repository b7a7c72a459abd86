"""The store is killed before each of its steps, in a process of its own, and opened again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catalogd.store import Store
from tests.contents import LEDGER, a_ref, lines_of, store_content

ROOT = Path(__file__).parents[4]
NEW = LEDGER.replace(b"1.0.0", b"1.1.0")

# Ends without any clean-up, like kill -9, at step number argv[2].
PROGRAM = """
import os, sys
from pathlib import Path
from tests.contents import LEDGER, a_ref, store_content
from catalogd.store import Store

steps = []
def checkpoint(step):
    steps.append(step)
    if len(steps) == int(sys.argv[2]):
        os._exit(9)

store = Store(Path(sys.argv[1]), checkpoint=checkpoint)
store.load()
if sys.argv[3] == "store":
    store_content(store, files=[LEDGER.replace(b"1.0.0", b"1.1.0")], ref=a_ref(sys.argv[4]))
else:
    store.remove("team")
print("\\n" + ",".join(steps), end="")
"""


def run(folder: Path, step: int, action: str, seed: str = "ab") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, str(folder), str(step), action, seed]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def served_after_restart(folder: Path) -> bytes | None:
    store = Store(folder)
    store.load()
    snapshot = store.snapshot("team")
    return snapshot.data.read(0, snapshot.data.size_bytes) if snapshot else None


def left_after_restart(folder: Path) -> list[str]:
    """What is on the volume once a new process has collected garbage."""
    store = Store(folder)
    store.load()
    store.collect(lambda _name: True)
    return sorted(os.listdir(folder / "catalogs" / "team"))


STEPS = [
    "create directory",
    "seal files",
    "write index",
    "write manifest",
    "rename content",
    "write pointer",
    "remove old content",
]


def test_store_passes_every_step_that_is_tested(tmp_path: Path) -> None:
    ended = run(tmp_path, 0, "store")
    assert ended.stdout.splitlines()[-1] == ",".join(STEPS), ended.stderr


@pytest.mark.parametrize("step", range(1, len(STEPS) + 1), ids=STEPS)
def test_store_serves_old_or_new_content_after_a_kill(tmp_path: Path, step: int) -> None:
    store_content(Store(tmp_path))
    assert run(tmp_path, step, "store").returncode == 9
    is_published = step > STEPS.index("write pointer") + 1
    assert served_after_restart(tmp_path) == b"".join(lines_of(NEW if is_published else LEDGER))
    folder = ("ab" if is_published else "0f") * 32
    assert left_after_restart(tmp_path) == sorted([folder, "current"])


@pytest.mark.parametrize("step", range(1, len(STEPS) + 1), ids=STEPS)
def test_store_completes_what_a_kill_interrupted(tmp_path: Path, step: int) -> None:
    store_content(Store(tmp_path))
    run(tmp_path, step, "store")
    store = Store(tmp_path)
    store.load()
    store_content(store, files=[NEW], ref=a_ref("ab"))
    assert served_after_restart(tmp_path) == b"".join(lines_of(NEW))


@pytest.mark.parametrize("step", [1, 2])
def test_remove_never_brings_content_back_after_a_kill(tmp_path: Path, step: int) -> None:
    store_content(Store(tmp_path))
    assert run(tmp_path, step, "remove").returncode == 9
    wanted = b"".join(lines_of(LEDGER)) if step == 1 else None
    assert served_after_restart(tmp_path) == wanted
    store = Store(tmp_path)
    store.load()
    store.remove("team")
    assert not (tmp_path / "catalogs" / "team").exists()
