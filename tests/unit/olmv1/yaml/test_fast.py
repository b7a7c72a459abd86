from __future__ import annotations

import pytest

from olmv1.yaml.fast import HAS_FAST_PARSER, Undecided, load_fast


def test_fast_parser_is_installed() -> None:
    assert HAS_FAST_PARSER


def test_load_fast_reads_ordinary_documents() -> None:
    assert load_fast(b"a: [1, b, 'yes', 1.5]\nd: |\n  text\n") == {"a": [1, "b", "yes", 1.5], "d": "text\n"}


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(b"a: yes\n", id="suspicious"),
        pytest.param(b"a: 'x\ny'\n", id="an indent that only the exact loader takes"),
        pytest.param(b"a: \xff\n", id="not UTF-8"),
        pytest.param(b"443: x\n", id="a key that is no text"),
        pytest.param(b"[[1], {[a]: b}]\n", id="a key that Python cannot hash"),
        pytest.param(b"[" * 3000, id="deep"),
    ],
)
def test_load_fast_is_undecided(document: bytes) -> None:
    with pytest.raises(Undecided):
        load_fast(document)
