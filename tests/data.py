"""Where the real catalogs and bundles of the tests are: `OLMV1_TEST_DATA`, else `../shared/data` beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def data_dir(*parts: str) -> Path:
    """The folder (or file) `parts` of the test data; skips the test, saying how to get it, where it is absent."""
    path = Path(os.environ.get("OLMV1_TEST_DATA", _DEFAULT)).joinpath(*parts).resolve()
    if not path.exists():
        pytest.skip(f"no test data at {path}: set OLMV1_TEST_DATA to a folder with catalogs/ and bundles/")
    return path
