"""Texts that must have a form: names, image references, versions, base64; each check answers what is wrong, or `None`.

The sentences are those that `opm` prints. Rule: fbc.md 7, 9 and 11.
"""

from __future__ import annotations

import base64
import binascii
import functools
import re

import re2

from olmv1.versions import Release, Version, quoted

__all__ = [
    "base64_fault",
    "decoded",
    "image_fault",
    "is_subdomain",
    "package_name_faults",
    "release_fault",
    "version_fault",
]

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_IS_LABEL = re2.compile(_LABEL)
_IS_SUBDOMAIN = re2.compile(rf"{_LABEL}(\.{_LABEL})*")
_LABEL_LENGTH, _SUBDOMAIN_LENGTH = 63, 253


def is_subdomain(name: str) -> bool:
    """Whether `name` is an RFC 1123 subdomain, which Kubernetes wants of channels and bundles that it is told of."""
    return len(name) <= _SUBDOMAIN_LENGTH and _IS_SUBDOMAIN.fullmatch(name) is not None


def package_name_faults(name: str) -> list[str]:
    """Why `name` is no RFC 1123 label; empty when it is one."""
    faults = []
    if len(name) > _LABEL_LENGTH:
        faults.append(f"must be no more than {_LABEL_LENGTH} characters")
    if _IS_LABEL.fullmatch(name) is None:
        faults.append("must not contain dots" if _IS_SUBDOMAIN.fullmatch(name) else _NOT_A_LABEL)
    return faults


_NOT_A_LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    f"with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)

_HOST_PART = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_DOMAIN = rf"(?:{_HOST_PART}(?:\.{_HOST_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_IMAGE = re.compile(
    rf"((?:{_DOMAIN}/)?{_COMPONENT}(?:/{_COMPONENT})*)(?::[0-9A-Za-z_][0-9A-Za-z_.-]{{0,127}})?"
    r"(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*):([0-9a-fA-F]{32,}))?",
    re.ASCII,
)
_REFERENCE_LENGTH = 1024  # Far beyond any name, tag and digest; it bounds how long the expression can take.
_DIGEST_LENGTHS = {"sha256": 64, "sha384": 96, "sha512": 128}
_NAME_LENGTH = 255
_INVALID = "invalid reference format"


# One catalog names the same images over and over; 4096 references are about a megabyte.
@functools.lru_cache(maxsize=4096)
def image_fault(text: str) -> str | None:
    """Why `text` is no image reference; short names (`foo`) are."""
    found = _IMAGE.fullmatch(text) if len(text) <= _REFERENCE_LENGTH else None
    if found is None:
        is_uppercase = text != text.lower() and _IMAGE.fullmatch(text.lower()) is not None
        return "repository name must be lowercase" if is_uppercase else _INVALID
    name, algorithm, encoded = found.groups()
    if len(name) > _NAME_LENGTH:
        return f"repository name must not be more than {_NAME_LENGTH} characters"
    if not algorithm:
        return None
    if algorithm not in _DIGEST_LENGTHS:
        return "unsupported digest algorithm"
    if len(encoded) != _DIGEST_LENGTHS[algorithm]:
        return "invalid checksum digest length"
    return None if encoded == encoded.lower() else "invalid checksum digest format"


def version_fault(text: str) -> str | None:
    """Why `text` is no semantic version, in the words of the reference's parser."""
    try:
        Version.parse(text)
    except ValueError:
        return _why_no_version(text)
    return None


def _why_no_version(text: str) -> str:
    if not text:
        return "Version string empty"
    parts = text.split(".", 2)
    if len(parts) < 3:
        return "No Major.Minor.Patch elements found"
    core, plus, build = parts[2].partition("+")
    patch, minus, prerelease = core.partition("-")
    for name, number in (("major", parts[0]), ("minor", parts[1]), ("patch", patch)):
        if fault := _number_fault(name, number):
            return fault
    identifiers = prerelease.split(".") if minus else []
    for identifier in identifiers:
        if fault := _identifier_fault(identifier):
            return fault
    for identifier in build.split(".") if plus else ():
        if not identifier:
            return "Build meta data is empty"
        if not _IS_IDENTIFIER.fullmatch(identifier):
            return f"Invalid character(s) found in build meta data {quoted(identifier)}"
    return "a number is above 18446744073709551615"


_IS_NUMBER = re.compile("[0-9]+")
_IS_IDENTIFIER = re.compile("[0-9A-Za-z-]+")


def _number_fault(name: str, number: str) -> str | None:
    if not _IS_NUMBER.fullmatch(number):
        return f"Invalid character(s) found in {name} number {quoted(number)}"
    if len(number) > 1 and number[0] == "0":
        return f"{name.capitalize()} number must not contain leading zeroes {quoted(number)}"
    return None


def _identifier_fault(identifier: str) -> str | None:
    if not identifier:
        return "Prerelease is empty"
    if not _IS_IDENTIFIER.fullmatch(identifier):
        return f"Invalid character(s) found in prerelease {quoted(identifier)}"
    if _IS_NUMBER.fullmatch(identifier) and len(identifier) > 1 and identifier[0] == "0":
        return f"Numeric PreRelease version must not contain leading zeroes {quoted(identifier)}"
    return None


_RELEASE_LENGTH = 20


def release_fault(text: str) -> str | None:
    """Why `text`, which is not empty, is no bundle release: `segment 0: …`, counted from 0."""
    try:
        Release.parse(text)
    except ValueError:
        pass
    else:
        return None
    if len(text) > _RELEASE_LENGTH:
        return f"exceeds maximum length of {_RELEASE_LENGTH} characters"
    for number, segment in enumerate(text.split(".")):
        if fault := _identifier_fault(segment):
            return f"segment {number}: {fault}"
    return "a number is above 18446744073709551615"


_NOT_BASE64 = re.compile("[^A-Za-z0-9+/]")


def decoded(text: str) -> bytes | None:
    """The bytes of a base64 text, line breaks in it allowed; `None` when it is none."""
    try:
        return base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError):
        return None


def base64_fault(text: str) -> str:
    """What is wrong with a text of which `decoded` gives `None`: the first byte that cannot be there."""
    length = len(text)
    end = len(text.rstrip("=\r\n"))
    stray = _NOT_BASE64.search(text.replace("\n", "A").replace("\r", "A"), 0, end)
    return f"illegal base64 data at input byte {stray.start() if stray else min(end, length)}"
