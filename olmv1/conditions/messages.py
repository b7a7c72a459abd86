"""What a message must look like before it is stored: stable from run to run, and short enough for the API server."""

from __future__ import annotations

import re

__all__ = ["MESSAGE_LIMIT", "cut_message", "scrub"]

MESSAGE_LIMIT = 32768
"""Code points that the CRDs admit in a condition's message (`maxLength`)."""

_CUT_MARK = "\n\n... [message truncated]"
_ADDRESS = r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|\[[0-9a-fA-F:.%a-z]+\])(?::[0-9]+)?"
_SOCKET_NOISE = re.compile(rf"(?:read|write) (?:tcp|udp) {_ADDRESS}->{_ADDRESS}(?:: )?")


def scrub(text: str) -> str:
    """`text` without the socket addresses that change with every attempt and would rewrite the status each time.

    Rule: clusterextension.md 7, step 2 (`read tcp 10.0.0.1:4711->10.0.0.2:443: ` goes, `dial tcp …` stays).
    """
    return _SOCKET_NOISE.sub("", text)


def cut_message(text: str) -> str:
    """`text` shortened to `MESSAGE_LIMIT` code points, the marker of the cut included.

    Rule: clusterextension.md 7, step 3, and 15 row 11: by characters, so that none is split.
    """
    if len(text) <= MESSAGE_LIMIT:
        return text
    return text[: MESSAGE_LIMIT - len(_CUT_MARK)] + _CUT_MARK
