"""`python -m tools.licences`: writes `docs/licences.md`, the licence of every locked package.

What a package says of itself is asked in this order: its licence expression (PEP 639), its licence field, its
classifiers, the text of its licence files. An answer that could mean two licences counts as none: `BSD License` is
settled by the text, several classifiers by nobody but `REVIEWED`. A test fails while a licence is unknown or not
allowed, and while the page is not what this writes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from tools.locked import Pin, canonical, pins

__all__ = [
    "ALLOWED",
    "PAGE",
    "REVIEWED",
    "Licence",
    "is_allowed",
    "licence_of",
    "licence_of_package",
    "page",
    "said_by",
]

_ROOT: Final = Path(__file__).parents[1]
_LOCK: Final = _ROOT / "requirements.lock"
_IMAGE_LOCK: Final = _ROOT / "tools/image/requirements.lock"
PAGE: Final = _ROOT / "docs" / "licences.md"
"""Where the page is."""

ALLOWED: Final[Mapping[str, str]] = {
    "Apache-2.0": "permissive, with a patent grant; notices stay with the copies",
    "BSD-2-Clause": "permissive; notices stay with the copies",
    "BSD-3-Clause": "permissive; notices stay with the copies",
    "ISC": "permissive; notices stay with the copies",
    "MIT": "permissive; notices stay with the copies",
    "MIT-0": "permissive, asks for nothing",
    "MPL-2.0": "copyleft by file: holds for changed files of the package, and none is changed here",
    "PSF-2.0": "permissive, that of Python; notices stay with the copies",
    "Unlicense": "public domain",
}
"""SPDX identifiers that a locked package may have, and why."""

REVIEWED: Final[Mapping[str, tuple[str, str]]] = {
    "backports-zstd": ("PSF-2.0", "not installed with every Python; its own licence expression"),
    "colorama": ("BSD-3-Clause", "installed on Windows only; its licence file"),
    "uvloop": ("Apache-2.0 OR MIT", "two classifiers; its README: dual-licensed"),
}
"""Licences that a person read, because a machine cannot: package to expression and reason."""

_NAMES: Final = {
    "apache 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mit style": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    **{name.lower(): name for name in ALLOWED},
}
# Beginnings and conditions by which the text of a licence is known; the first that fits counts.
_TEXTS: Final = (
    ("BSD-3-Clause", re.compile(r"redistribution and use in source and binary forms.*neither the name", re.DOTALL)),
    ("BSD-2-Clause", re.compile(r"redistribution and use in source and binary forms")),
    ("MIT", re.compile(r"permission is hereby granted, free of charge, .* the above copyright notice", re.DOTALL)),
    ("Apache-2.0", re.compile(r"apache license version 2\.0")),
    ("MPL-2.0", re.compile(r"mozilla public license,? version 2\.0")),
    ("ISC", re.compile(r"permission to use, copy, modify, and/?o?r? distribute this software")),
)
_LICENCE_FILE: Final = re.compile(r"(^|/)(UN)?(LICEN[CS]E|COPYING)[^/]*$", re.IGNORECASE)
_CLASSIFIER: Final = "License :: "
_HEAD: Final = """# Licences

The licence of every package that the project is locked to, as the package itself tells it. Generated from
`requirements.lock` and the installed packages by `python -m tools.licences`; `make check` fails on a licence that is
unknown or not allowed. What else the image holds is in its own list, see [supply-chain.md](supply-chain.md).

A package without a mark in the last column is for developers and tests only.

| package | version | licence | told by | in the image |
| --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True, slots=True)
class Licence:
    """An SPDX expression and what told it; both empty when nothing did."""

    expression: str = ""
    source: str = ""


def licence_of(pin: Pin) -> Licence:
    """The licence of a locked package as it is installed; one that need not be installed here may be reviewed.

    Raises:
        ValueError: it is not installed, or in another version.
    """
    try:
        found = distribution(pin.name)
    except PackageNotFoundError:
        if pin.name in REVIEWED:
            return Licence(REVIEWED[pin.name][0], "review")
        raise ValueError(f"{pin.name}: expected version {pin.version} to be installed, found none") from None
    if found.version != pin.version:
        raise ValueError(f"{pin.name}: expected version {pin.version} to be installed, found {found.version}")
    return licence_of_package(found)


def licence_of_package(package: Distribution) -> Licence:
    """The licence of an installed package, by review or as it tells it."""
    if reviewed := REVIEWED.get(canonical(package.name)):
        return Licence(reviewed[0], "review")
    return said_by(package)


def said_by(package: Distribution) -> Licence:
    """What an installed package says of its licence: the first source that means exactly one."""
    metadata = package.metadata
    for expression in metadata.get_all("License-Expression") or ():
        return Licence(str(expression).strip(), "expression")
    fields = [str(each).strip().lower() for each in metadata.get_all("License") or ()]
    if known := next((_NAMES[field] for field in fields if field in _NAMES), None):
        return Licence(known, "licence field")
    classifiers = [str(each) for each in metadata.get_all("Classifier") or () if str(each).startswith(_CLASSIFIER)]
    named = {_NAMES.get(classifier.rpartition(" :: ")[2].lower()) for classifier in classifiers}
    if len(named) == 1 and (known := named.pop()):
        return Licence(known, "classifier")
    texts = set(_from_files(package))
    return Licence(texts.pop(), "licence file") if len(texts) == 1 else Licence()


def is_allowed(expression: str) -> bool:
    """Whether an SPDX expression can be met with licences of `ALLOWED`: all of an `AND`, one of an `OR`."""
    words = re.findall(r"[()]|[^\s()]+", expression)
    try:
        return _any_of(words) and not words
    except IndexError:
        return False  # it ends too early, or is empty


def page(lock: Path = _LOCK, image_lock: Path = _IMAGE_LOCK) -> str:
    """The page about the packages of `lock`."""
    in_image = {pin.name for pin in pins(image_lock)}
    rows = []
    for pin in pins(lock):
        licence = licence_of(pin)
        mark = "yes" if pin.name in in_image else ""
        rows.append(f"| {pin.name} | {pin.version} | {licence.expression} | {licence.source} | {mark} |\n")
    allowed = "".join(f"| {name} | {reason} |\n" for name, reason in ALLOWED.items())
    reviewed = "".join(f"| {name} | {each[0]} | {each[1]} |\n" for name, each in REVIEWED.items())
    return (
        f"{_HEAD}{''.join(rows)}\n## Allowed\n\n| licence | |\n| --- | --- |\n{allowed}"
        f"\n## Reviewed\n\n| package | licence | why a person looked |\n| --- | --- | --- |\n{reviewed}"
    )


def _from_files(package: Distribution) -> Iterator[str]:
    """The licences whose text the package brings with its metadata."""
    for file in package.files or ():
        if ".dist-info" in str(file) and _LICENCE_FILE.search(str(file)):
            text = re.sub(r"[\s/*#]+", " ", file.read_text()).lower()
            yield next((name for name, known in _TEXTS if known.search(text)), "")


def _any_of(words: list[str]) -> bool:
    met = _all_of(words)
    while words and words[0].upper() == "OR":
        words.pop(0)
        met = _all_of(words) or met
    return met


def _all_of(words: list[str]) -> bool:
    met = _one(words)
    while words and words[0].upper() == "AND":
        words.pop(0)
        met = _one(words) and met
    return met


def _one(words: list[str]) -> bool:
    word = words.pop(0)
    if word != "(":
        return word in ALLOWED
    met = _any_of(words)
    return words.pop(0) == ")" and met


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(_ROOT)} is written\n")
