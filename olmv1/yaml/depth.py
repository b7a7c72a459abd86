"""Bounds on nesting: no input may exhaust the stack of a parser written in C or Rust, or of our own recursion."""

from __future__ import annotations

import re2
from yaml._yaml import CParser
from yaml.error import YAMLError
from yaml.events import MappingEndEvent, MappingStartEvent, SequenceEndEvent, SequenceStartEvent

__all__ = ["MAX_DEPTH", "TOO_DEEP", "is_too_deep", "may_exhaust_stack"]

MAX_DEPTH = 254
"""Levels of lists and mappings in one document: what the JSON writer can write again. Real input stays below 80."""

TOO_DEEP = f"document nests deeper than {MAX_DEPTH} levels"

# Both parsers recurse and were measured to crash between 10,000 and 20,000 levels on a stack of 8 MiB. A block
# collection begins at least every second column, so a line with less of an indent (compact `- - -` included) bounds the
# block levels.
_SAFE_OPENERS = 2000
_LONG_INDENT = re2.compile(rb"(?m)^[ \t?:-]{500}")


def is_too_deep(value: object) -> bool:
    """Whether lists and mappings nest deeper than `MAX_DEPTH`; needs no recursion itself."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            if isinstance(parent, (dict, list))
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def may_exhaust_stack(document: bytes) -> bool:
    """Whether a YAML document nests deeper than `MAX_DEPTH`, asked before a recursive parser sees it.

    Nearly always answered by counting brackets; else by the events of the parser, which come without recursion and are
    read only until the limit is passed. A document that is not YAML is said to be shallow: its parser will tell.
    """
    openers = document.count(b"[") + document.count(b"{")
    if openers <= _SAFE_OPENERS and not _LONG_INDENT.search(document):
        return False
    return _passes_limit(document)


def _passes_limit(document: bytes) -> bool:
    depth = 0
    parser = CParser(document)
    try:
        while depth <= MAX_DEPTH and parser.check_event():
            event = parser.get_event()
            if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
                depth += 1
            elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
                depth -= 1
    except YAMLError:
        return False
    return depth > MAX_DEPTH
