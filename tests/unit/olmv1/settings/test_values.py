from __future__ import annotations

import pytest

from olmv1.settings import BindAddress, parse_bind_address, parse_duration_s
from olmv1.settings.values import format_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("12h", 43200.0), ("10m0s", 600.0), ("1.5h", 5400.0), ("300ms", 0.3), ("0", 0.0), ("+1m", 60.0), (2.5, 2.5)],
)
def test_parse_duration_reads_go_notation(text: object, seconds: float) -> None:
    assert parse_duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "12", "h", "1h30", "-1h", "1d", True])
def test_parse_duration_refuses_what_go_refuses(text: object) -> None:
    with pytest.raises(ValueError, match="invalid duration"):
        parse_duration_s(text)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (":8443", BindAddress(None, 8443)),
        ("127.0.0.1:0", BindAddress("127.0.0.1", 0)),
        ("[::1]:80", BindAddress("::1", 80)),
        ("0", None),
        ("", None),
    ],
)
def test_parse_bind_address_reads_the_forms_of_the_flags(text: str, address: BindAddress | None) -> None:
    assert parse_bind_address(text) == address


@pytest.mark.parametrize("text", ["8443", "host", "host:", ":99999", ":x"])
def test_parse_bind_address_refuses_an_address_without_port(text: str) -> None:
    with pytest.raises(ValueError, match=f'invalid bind address "{text}"'):
        parse_bind_address(text)


@pytest.mark.parametrize(("seconds", "text"), [(43200.0, "12h"), (90.0, "1m30s"), (0.5, "0.5s"), (0.0, "0s")])
def test_format_duration_prints_go_notation(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text
