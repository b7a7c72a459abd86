from __future__ import annotations

import pytest

from olmv1.versions import quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", '""'),
        (">=1.0.0 ü", '">=1.0.0 ü"'),
        ('a"b\\c', r'"a\"b\\c"'),
        ("\a\b\f\n\r\t\v", r'"\a\b\f\n\r\t\v"'),
        ("\x00\x7f", r'"\x00\x7f"'),
        ("\u00a0\u2028", r'"\u00a0\u2028"'),
        ("\U000e0001", r'"\U000e0001"'),
    ],
)
def test_quoted_escapes_what_does_not_print(text: str, shown: str) -> None:
    assert quoted(text) == shown
