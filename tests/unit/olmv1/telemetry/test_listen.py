from __future__ import annotations

import errno
import os

import pytest
from aiohttp import web

from olmv1.errors import TerminalError
from olmv1.telemetry.listen import BindAddress, Server


async def test_a_port_in_use_is_named() -> None:
    async with Server(web.Application(), BindAddress("127.0.0.1", 0)) as first:
        with pytest.raises(TerminalError) as problem:
            async with Server(web.Application(), BindAddress("127.0.0.1", first.port)):
                pass
        port = first.port
    assert str(problem.value) == f"cannot listen on 127.0.0.1:{port}: {os.strerror(errno.EADDRINUSE)}"
