"""The package index that pip is configured for, asked what it knows of one version of a package.

Used by `advisories` only. Its address is taken from pip, and never printed.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import re
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from tools.locked import Pin

__all__ = ["Index", "NotOfferedError", "configured_index"]

_TIMEOUT_S: Final = 5.0
_LARGEST: Final = 20_000_000  # bytes; the answer about a package with many files is some hundred kilobytes
_OPTION: Final = re.compile(r"--index-url <url>.*?\(default:?\s*(?P<url>\S+?)\)", re.DOTALL)
_SIMPLE: Final = "/simple"


class NotOfferedError(Exception):
    """The index does not offer what is asked for."""


@dataclass(frozen=True, slots=True)
class Index:
    """An index; `url` is the address of its simple API, which may hold a user and a password."""

    url: str

    def about(self, pin: Pin) -> object:
        """What the index says of one version, as decoded JSON.

        Raises:
            NotOfferedError: it has no such document.
            OSError: it cannot be reached.
            ValueError: the answer is no JSON.
        """
        parts = urlsplit(self.url)
        path = parts.path.rstrip("/")
        if parts.scheme not in ("http", "https") or not path.endswith(_SIMPLE):
            raise NotOfferedError("the index that pip is configured for offers no JSON API")
        path = f"{path.removesuffix(_SIMPLE)}/pypi/{quote(pin.name)}/{quote(pin.version)}/json"
        host = parts.netloc.rpartition("@")[2]
        request = urllib.request.Request(urlunsplit((parts.scheme, host, path, "", "")))  # noqa: S310 - http only, see above
        request.add_header("Accept", "application/json")
        if parts.username:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            request.add_header("Authorization", f"Basic {base64.b64encode(login.encode()).decode()}")
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S, context=_trust()) as response:  # noqa: S310
                return json.loads(response.read(_LARGEST))
        except urllib.error.HTTPError as refusal:
            refusal.close()
            raise NotOfferedError(f"the index answers {refusal.code}") from None

    def without_address(self, problem: Exception) -> str:
        """What went wrong, without the address of the index."""
        if isinstance(problem, NotOfferedError):
            return str(problem)
        if isinstance(problem, ValueError):
            return "the index answers with something that is not JSON"
        reason = getattr(problem, "reason", problem)
        # TLS and a failed name lookup number their errors in ways of their own
        number = reason.errno if isinstance(reason, OSError) and not isinstance(reason, ssl.SSLError) else None
        text = os.strerror(number) if number and number in errno.errorcode else ""
        return f"the index cannot be reached ({text or type(reason).__name__})"


def configured_index(environment: Mapping[str, str]) -> Index:
    """The index that pip would install from with these variables.

    Raises:
        NotOfferedError: pip tells none, or hides the password that it has for it.
        OSError, subprocess.SubprocessError: pip cannot be asked.
    """
    if url := environment.get("PIP_INDEX_URL"):
        return Index(url)
    # its help shows the value in force as the default of the option
    environment = {**environment, "COLUMNS": "500", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [sys.executable, "-m", "pip", "install", "--help"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=20).stdout  # noqa: S603
    found = _OPTION.search(told)
    if found is None:
        raise NotOfferedError("pip tells no index")
    if urlsplit(found["url"]).password:
        raise NotOfferedError("pip hides the password of its index: set PIP_INDEX_URL")
    return Index(found["url"])


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=os.environ.get("PIP_CERT") or None)
