"""Whether a catalog name from a URL can be the name of a catalog at all. Pure."""

from __future__ import annotations

import re

__all__ = ["problem_of_name"]

_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_MATCHES = re.compile(_SUBDOMAIN).fullmatch
_LIMIT = 253


def problem_of_name(name: str) -> str | None:
    """What Kubernetes says about a name that is no DNS subdomain, several sentences joined by `; `; `None`: it is one.

    Rule: catalogd-http.md 8. Nothing that passes can leave a directory: it has no slash and no leading dot.
    """
    problems = []
    if len(name) > _LIMIT:
        problems.append(f"must be no more than {_LIMIT} characters")
    if _MATCHES(name) is None:
        problems.append(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
            "and must start and end with an alphanumeric character (e.g. 'example.com', "
            f"regex used for validation is '{_SUBDOMAIN}')"
        )
    return "; ".join(problems) or None
