"""Commands run in this process: what they set for a whole process is undone."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.answering_server import AnsweringServer, answering_server, write_kubeconfig


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    """An API server that answers as laid down."""
    with answering_server() as running:
        yield running


@pytest.fixture
def kubeconfig(server: AnsweringServer, tmp_path: Path) -> str:
    return write_kubeconfig(tmp_path / "kubeconfig", server.url)
