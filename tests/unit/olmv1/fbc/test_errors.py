from __future__ import annotations

import pytest

from olmv1.errors import TerminalError
from olmv1.fbc import FbcError
from olmv1.fbc.errors import place_of, shown


def test_fbc_error_is_terminal() -> None:
    assert isinstance(FbcError("x"), TerminalError)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a/é.yaml", "a/é.yaml"),
        ("a\nb\x1b[31m.yaml", "a\\nb\\x1b[31m.yaml"),
        ("\udcff.yaml", "\\udcff.yaml"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_shown_fits_any_message(name: str, text: str) -> None:
    assert shown(name) == text


def test_place_of_names_file_and_document() -> None:
    assert (place_of("a.yaml", 3), place_of("a.yaml")) == ("a.yaml, document 3", "a.yaml")
