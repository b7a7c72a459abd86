from __future__ import annotations

import re

import pytest

from olmv1.constraints.versions import compared, tolerant_version


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("v1.2", "1.2.0"),
        ("1", "1.0.0"),
        ("01.002.0", "1.2.0"),
        (" 1.2.0 ", "1.2.0"),
        ("0", "0.0.0"),
        ("00.0.01-rc.1", "0.0.1-rc.1"),
        (1.5, "1.5.0"),
        (1.0, "1.0.0"),
        (7, "7.0.0"),
    ],
)
def test_tolerant_version_reads(written: object, expected: str) -> None:
    assert str(tolerant_version(written)) == expected


@pytest.mark.parametrize("written", ["1.2-rc", "1+b", "abc", "", "1.2.3.4", "v", "1..2", "-1", "1e400", "٣"])
def test_tolerant_version_refuses(written: str) -> None:
    with pytest.raises(ValueError, match=f"^unable to parse '{re.escape(written)}' to semver format$"):
        tolerant_version(written)


@pytest.mark.parametrize(("written", "shown"), [(True, "true"), (None, "NoneType"), ([], "list"), (1e300, "1e+300")])
def test_tolerant_version_refuses_other_types(written: object, shown: str) -> None:
    with pytest.raises(ValueError, match=f"^unable to parse '{re.escape(shown)}' to semver format$"):
        tolerant_version(written)


def test_compared_follows_precedence() -> None:
    assert [compared("1.2.0", "1.10.0"), compared("1.2.0+a", "1.2.0+b"), compared("1.2.0", "1.2.0-rc.1")] == [-1, 0, 1]
