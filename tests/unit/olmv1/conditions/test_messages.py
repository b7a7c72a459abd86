from __future__ import annotations

import pytest

from olmv1.conditions import MESSAGE_LIMIT, cut_message, scrub


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("read tcp 10.0.0.1:4711->10.0.0.2:443: connection reset", "connection reset", id="IPv4"),
        pytest.param("x: write udp [fe80::1]:53->[::1]:5353: no route", "x: no route", id="IPv6"),
        pytest.param("dial tcp 10.0.0.1:1->10.0.0.2:2: refused", "dial tcp 10.0.0.1:1->10.0.0.2:2: refused", id="dial"),
        pytest.param("read tcp 10.0.0.1->10.0.0.2", "", id="without ports"),
    ],
)
def test_scrub_removes_socket_addresses(text: str, kept: str) -> None:
    assert scrub(text) == kept


def test_cut_message_keeps_a_message_of_exactly_the_limit() -> None:
    text = "é" * MESSAGE_LIMIT
    assert cut_message(text) == text


def test_cut_message_marks_the_cut_within_the_limit() -> None:
    cut = cut_message("é" * (MESSAGE_LIMIT + 1))
    assert (len(cut), cut[-26:]) == (MESSAGE_LIMIT, "é\n\n... [message truncated]"[-26:])
