"""Every locked package has a licence that is allowed, and the page about them is current."""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tests.documents import ROOT
from tools import licences
from tools.licences import Licence, is_allowed, licence_of, said_by
from tools.locked import Pin, pins

MIT_TEXT = """The licence

Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to deal in it, provided:
The above copyright notice and this notice shall be included in all copies.
"""
BSD_TEXT = """// Copyright (c) 2009 Somebody
//
// Redistribution and use in source and binary
// forms, with or without modification, are permitted{}
"""


def a_package(folder: Path, *lines: str, **files: str) -> Distribution:
    """An installed package with lines of metadata and licence files."""
    info = folder / "lamp-1.0.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", "Name: lamp", "Version: 1.0", *lines, "", ""]))
    for name, text in files.items():
        (info / "licenses" / name).write_text(text)
    (info / "RECORD").write_text("".join(f"{info.name}/licenses/{name},,\n" for name in files))
    return Distribution.at(info)


@pytest.mark.parametrize("pin", pins(ROOT / "requirements.lock"), ids=lambda pin: pin.name)
def test_every_locked_package_has_a_licence_that_is_allowed(pin: Pin) -> None:
    licence = licence_of(pin)
    assert is_allowed(licence.expression), f"{pin.name} {pin.version}: {licence}, allowed: {list(licences.ALLOWED)}"


def test_the_page_is_current() -> None:
    assert licences.PAGE.read_text(encoding="utf-8") == licences.page(), "run: python -m tools.licences"


@pytest.mark.parametrize("name", licences.REVIEWED)
def test_a_review_is_of_a_locked_package_and_does_not_contradict_it(name: str) -> None:
    assert name in {pin.name for pin in pins(ROOT / "requirements.lock")}
    try:
        told = said_by(distribution(name)).expression
    except PackageNotFoundError:
        return  # that is why it was reviewed
    assert told in ("", licences.REVIEWED[name][0]) or told in licences.REVIEWED[name][0].split(" OR ")


@pytest.mark.parametrize(
    ("lines", "files", "expected"),
    [
        (["License-Expression: MIT OR Apache-2.0", "License: BSD"], {}, Licence("MIT OR Apache-2.0", "expression")),
        (["License: MIT style"], {}, Licence("MIT", "licence field")),
        (["License: BSD"], {"LICENSE": BSD_TEXT.format(".")}, Licence("BSD-2-Clause", "licence file")),
        (
            ["Classifier: License :: OSI Approved :: BSD License"],
            {"LICENSE.txt": BSD_TEXT.format(". Neither the name of X")},
            Licence("BSD-3-Clause", "licence file"),
        ),
        (
            ["Classifier: License :: OSI Approved :: MIT License", "Classifier: Topic :: X"],
            {},
            Licence("MIT", "classifier"),
        ),
        (
            [
                "Classifier: License :: OSI Approved :: MIT License",
                "Classifier: License :: OSI Approved :: Apache Software License",
            ],
            {},
            Licence(),
        ),
        ([], {"COPYING": MIT_TEXT, "NOTICE": "x"}, Licence("MIT", "licence file")),
        ([], {"LICENSE-A": MIT_TEXT, "LICENSE-B": BSD_TEXT.format(".")}, Licence()),
        ([], {"LICENSE": "All rights reserved."}, Licence("", "licence file")),
        ([], {}, Licence()),
    ],
)
def test_what_a_package_says_counts_when_it_means_one_licence(
    tmp_path: Path, lines: list[str], files: dict[str, str], expected: Licence
) -> None:
    assert said_by(a_package(tmp_path, *lines, **files)) == expected


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("GPL-2.0-only OR MIT", True),
        ("GPL-2.0-only AND MIT", False),
        ("MPL-2.0 AND (Apache-2.0 OR GPL-3.0-only)", True),
        ("MIT OR GPL-2.0-only AND GPL-3.0-only", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("MIT Apache-2.0", False),
        ("(MIT", False),
        ("MIT AND", False),
        ("", False),
    ],
)
def test_an_expression_is_allowed_when_allowed_licences_meet_it(expression: str, allowed: bool) -> None:
    assert is_allowed(expression) is allowed


def test_a_package_that_is_not_installed_as_locked_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^lamp: expected version 1\.0 to be installed, found none$"):
        licence_of(Pin("lamp", "1.0"))
    found = distribution("pytest").version
    with pytest.raises(ValueError, match=rf"^pytest: expected version 0\.1 to be installed, found {found}$"):
        licence_of(Pin("pytest", "0.1"))


def test_a_lock_is_read_with_its_markers(tmp_path: Path) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text("B_b==1.0 ; python_version < '3.14' \\\n    --hash=sha256:00 \\\n    # via a==2\na==2\n")
    assert pins(lock) == [Pin("a", "2"), Pin("b-b", "1.0", "python_version < '3.14'")]
    lock.write_text("a>=2\n")
    with pytest.raises(ValueError, match=r"^some\.lock: expected lines of the form name==version, found none$"):
        pins(lock)
