from __future__ import annotations

import subprocess
import sys

import pytest

from olmv1.telemetry import listen
from olmv1.telemetry.addresses import BindAddress


@pytest.mark.parametrize(
    ("text", "address"),
    [
        pytest.param(":8081", BindAddress(None, 8081), id="all interfaces"),
        pytest.param("127.0.0.1:0", BindAddress("127.0.0.1", 0), id="any free port"),
        pytest.param("[::1]:8081", BindAddress("::1", 8081), id="IPv6"),
        pytest.param("", None, id="empty is off"),
        pytest.param("0", None, id="0 is off"),
    ],
)
def test_parse_reads_addresses_as_flags_write_them(text: str, address: BindAddress | None) -> None:
    assert BindAddress.parse(text) == address


@pytest.mark.parametrize("text", ["8081", "host:http", ":65536", ":"])
def test_parse_refuses_what_has_no_port(text: str) -> None:
    with pytest.raises(ValueError) as problem:  # noqa: PT011 - the whole message is compared below
        BindAddress.parse(text)
    assert str(problem.value) == f'invalid bind address "{text}": expected [host]:port, "" or "0"'


def test_settings_are_read_without_an_http_library() -> None:
    program = "import sys, olmv1.settings; print('aiohttp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, listen.BindAddress) == ("False\n", BindAddress)
