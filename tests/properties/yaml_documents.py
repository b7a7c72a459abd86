"""YAML texts for property tests: values written in every style that people and tools use."""

from __future__ import annotations

import json

from hypothesis import strategies as st

__all__ = ["documents", "fragments"]

# Scalars with a meaning of their own, and their neighbours.
_SCALARS = st.sampled_from(
    [
        *(
            "a",
            "foo",
            "1",
            "0",
            "-12",
            "1.5",
            "0.10",
            "1.0",
            "07",
            "0x1f",
            "1_0",
            "1e3",
            ".5",
            "yes",
            "no",
            "on",
            "y",
            "n",
        ),
        *("True", "false", "null", "~", "'q'", "it's", "12:30", "2020-01-01", "1.2.3", "=", "<<", ">=1.0.0", "v1", "-"),
        *("+", ".", "..", "._5", ".inf", "0o7", "0b1", "+1", "08", "9999999999999999999", "-0", "1.", "_0", "é", "😀"),
        *("a#b", "a:b", "x,y", "$(x)", "%x%", "*x", "&x", "!x", "|x", ">x", "@x"),
    ]
)
_TEXTS = st.one_of(_SCALARS, st.text(st.sampled_from("ab1 -:#,.'\"[]{}|>&*!?%@\\é\n\t_0"), max_size=8))
_KEYS = st.sampled_from(["a", "b", "name", "yes", "1", "key-two", "y", "x.y/z", "null", "0x1", "'on'", '"n"'])


def _plain_or_quoted(text: str) -> st.SearchStrategy[str]:
    folded = " ".join(text.split()) or "x"
    return st.sampled_from(
        [folded, f"'{folded.replace(chr(39), chr(39) * 2)}'", json.dumps(text), json.dumps(text, ensure_ascii=False)]
    )


_SCALAR_TEXTS = _TEXTS.flatmap(_plain_or_quoted)
_FLOWS = st.recursive(
    _SCALAR_TEXTS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda members: f"[{', '.join(members)}]"),
        st.lists(st.tuples(_KEYS, inner), max_size=3).map(lambda m: "{" + ", ".join(f"{k}: {v}" for k, v in m) + "}"),
    ),
    max_leaves=4,
)


def _block_scalar(head: str, lines: list[str]) -> list[str]:
    return [head, *(f"  {line}" if line.strip() else "" for line in lines)]


_BLOCK_SCALARS = st.builds(
    _block_scalar,
    st.sampled_from(["|", "|-", "|+", ">", ">-", ">+", "| # c"]),
    st.lists(st.text(st.sampled_from("ab -:#"), max_size=6), min_size=1, max_size=4),
)


def _mapping(members: list[tuple[str, list[str]]]) -> list[str]:
    lines = []
    for key, value in members:
        is_inline = len(value) == 1 or value[0][:1] in "|>"
        lines += [f"{key}: {value[0]}", *value[1:]] if is_inline else [f"{key}:", *(f"  {line}" for line in value)]
    return lines


def _sequence(members: list[list[str]]) -> list[str]:
    return [f"{'- ' if number == 0 else '  '}{line}" for member in members for number, line in enumerate(member)]


_BLOCKS: st.SearchStrategy[list[str]] = st.recursive(
    st.one_of(_FLOWS.map(lambda text: [text]), _BLOCK_SCALARS),
    lambda inner: st.one_of(
        st.lists(st.tuples(_KEYS, inner), min_size=1, max_size=4).map(_mapping),
        st.lists(inner, min_size=1, max_size=3).map(_sequence),
    ),
    max_leaves=8,
)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """A document built from values: nearly always valid YAML."""
    lines = draw(_BLOCKS)
    for place in draw(st.lists(st.integers(0, len(lines)), max_size=1)):
        lines = [*lines[:place], draw(st.sampled_from(["", "# comment", "  # comment"])), *lines[place:]]
    text = draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines)
    return (text + draw(st.sampled_from(["\n", "\n", "", "\n\n"]))).encode()


def fragments() -> st.SearchStrategy[bytes]:
    """Pieces of YAML thrown together: seldom valid."""
    pieces = st.sampled_from(
        [
            *("a", "1", "yes", "0x1", "'", '"', "\n", "\n  ", "\n- ", ": ", ":", " ", ", ", "[", "]", "{", "}", "-"),
            *("&a ", "*a", "!t ", "? ", "- ", "#", " #", "\t", "\r\n", "<<", "k:\n  ", "%", "...", "\u2028", "\x85"),
            *("|\n  x", ">\n  y"),
        ]
    )
    return st.lists(pieces, min_size=1, max_size=12).map(lambda found: "".join(found).encode())
