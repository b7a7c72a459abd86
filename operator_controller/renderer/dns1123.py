"""What the API server says about a name that is not a DNS-1123 subdomain."""

from __future__ import annotations

import re

__all__ = ["subdomain_findings"]

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_MAX_LENGTH = 253


def subdomain_findings(name: str) -> list[str]:
    """The reasons against `name`, sorted; empty when it is fine. Rule: bundle-rendering.md 8."""
    findings = []
    if not re.fullmatch(_SUBDOMAIN, name):
        findings.append(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
            "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            f"'{_SUBDOMAIN}')"
        )
    if len(name.encode()) > _MAX_LENGTH:
        findings.append(f"must be no more than {_MAX_LENGTH} characters")
    return findings
