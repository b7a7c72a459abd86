"""The `helm` of the tools, for tests that render charts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from devcluster.binaries import PROJECT_DIR, versions_key

__all__ = ["helm_path"]


def helm_path() -> str:
    """The built command, or the one of this machine; skips the test, saying how to get it, where there is none."""
    built: Path = PROJECT_DIR / ".tools" / versions_key(PROJECT_DIR / "tools") / "bin" / "helm"
    found = str(built) if built.exists() else shutil.which("helm")
    if found is None:
        pytest.skip("no helm: `make tools` builds it")
    return found
