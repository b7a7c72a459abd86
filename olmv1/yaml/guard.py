r"""Whether the fast parser and the reference may disagree about a document.

The fast parser speaks YAML 1.2, the reference 1.1. One scan of the bytes looks for everything that was found to differ:
as nobody knows yet where scalars begin, text inside quotes and blocks is hit as well. A false alarm costs time only
(the exact loader reads the document), a missed one would change a catalog: `tests/properties/test_yaml.py` hunts for
those. Known and accepted: a few texts that the reference refuses are read, block indicators inside flow collections
(`{a: >x}`) above all.
"""

from __future__ import annotations

import re2

__all__ = ["is_suspicious"]


def is_suspicious(document: bytes) -> bool:
    """Whether the document must be read by the exact loader."""
    return _SUSPICIOUS.search(document) is not None


# Where a scalar can begin (behind an indicator or an indent) and where a plain one can end.
_BEGIN = r"(?:^|[-?:\[{,][ \t\r\n]|[\[{,]|[\"'\]}]:)[ \t\r]*"
_END = r"[ \t\r]*(?:$|[ \t]#|[,\]}]|:(?:[ \t\r,\[\]{}]|$))"
_KEY_END = r"[ \t\r\n]*:(?:[ \t\r,\[\]{}]|$)"

# Plain scalars that are a value of another type, or of another size, there.
_WORDS = r"(?i:y|n|yes|no|on|off|[-+]?\.inf|\.nan)"
_NUMBERS = "|".join(
    [
        r"[-+]?0[0-9xXoObB_][0-9a-zA-Z_.+-]*",  # octal, hexadecimal, binary, 08
        r"\+[.0-9][0-9a-zA-Z_.+-]*",
        r"-0(?:\.0*)?",
        r"[-+]?[0-9.]*_[-+0-9._eE]*",
        r"-?[0-9]+\.0*",
        r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+",
        r"-?[0-9.]{16,}",
        r"-?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?",  # base 60
        r"-?\.[0-9][0-9._]*",
    ]
)
# The head of a block scalar, its line break included.
_BLOCK = r"[|>][-+0-9]*[ \t\r]*(?:#[^\n]*)?(?:\n|\z)"

_SUSPICIOUS = re2.compile(
    "(?m)"
    + "|".join(
        [
            f"{_BEGIN}(?:{_WORDS}|{_NUMBERS}){_END}",
            f"{_BEGIN}&(?:[^ \t\r]|$)",  # anchors, which hide the scalar behind them
            f"{_BEGIN}\\*[0-9A-Za-z_-]+(?:{_END}|{_KEY_END})",  # aliases
            f"{_BEGIN}!",  # tags
            r"<<[ \t\r\n]*[:,}]",
            r"(?:^|[-?:][ \t])[ \t]*\?[ \t\r\n]",  # keys that are marked as keys
            r"^%|^\.\.\.|^[ \t?:-]{60}",  # directives, the end of a document, deep nesting
            r"\\u[dD][89a-fA-F]",  # halves of surrogate pairs
            r"(?:^|[-?:]) *\t",  # tabs in indents and behind indicators
            # What only the fast parser takes for a plain scalar.
            r"[0-9A-Za-z_-]:[,\[\]{}]|^[ \t]*:|[\[{][ \t\r\n]*[|>?:]|,[ \t\r\n]+[|>]|,[ \t\r\n]*\?",
            r"\r(?:[^\n]|\z)",  # the line break of old
            _BLOCK + r"(?:[ \t\r]*\n)*[^ \t\r\n]",  # a block without a line
            _BLOCK + r"(?:[ \t\r]*\n)*[ \t\r]*\z",
            _BLOCK + r"(?s:.*\n)?[ \t][^\n]*\z",  # a block whose last line may not end
            # Line breaks of YAML 1.1, the byte order mark, control characters.
            "[\\x{0}-\\x{8}\\x{b}\\x{c}\\x{e}-\\x{1f}\\x{7f}-\\x{9f}\\x{2028}\\x{2029}\\x{feff}\\x{fffe}\\x{ffff}]",
        ]
    )
)
