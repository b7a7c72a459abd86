"""Text between double quotes, as messages show it."""

from __future__ import annotations

__all__ = ["quoted"]

_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    '"': '\\"',
    "\\": "\\\\",
}


def quoted(text: str) -> str:
    """`text` between double quotes on one line: what does not print is escaped.

    Rule: the reference's messages quote as Go does (`%q`); a test compares whole messages.
    """
    return '"' + "".join(_ESCAPES.get(character) or _printable(character) for character in text) + '"'


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
