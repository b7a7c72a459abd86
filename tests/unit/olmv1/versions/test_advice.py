from __future__ import annotations

import pytest

from olmv1.versions import Range, advice_on, opened


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (">=1.11, <1.13", ()),
        ("<1.0.0 >=2.0.0", ('version range "<1.0.0 >=2.0.0" matches no version',)),
        ("0.x, 1.x, !=0.0-0", ('version range "0.x, 1.x, !=0.0-0" matches no version',)),
        (">1.2.3-0 <1.2.3", ()),
        ("^*", ('in version range "^*" `^` with a wildcard means exactly 0.0.0',)),
        ("<=x", ('in version range "<=x" `<=` with a wildcard means 0.0.z',)),
        (">*", ('in version range ">*" `>` with a wildcard means every version but 0.0.0',)),
        ("!=* || !=*", ('in version range "!=* || !=*" `!=` with a wildcard means every version but 0.0.0',)),
        ("~0.0.0", ('in version range "~0.0.0" `~0.0.0` means every version',)),
        ("~0.0.1", ()),
    ],
)
def test_advice_on_tells_surprises(text: str, advice: tuple[str, ...]) -> None:
    assert advice_on(Range.parse(text)) == advice


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (">=1.16, <1.18", ">=1.16.0-0 <1.18.0-0"),
        ("1.17.x", ">=1.17.0-0 <1.18.0-0"),
        ("*", ">=0.0.0-0"),
        ("1.2.3", ">=1.2.3-0 <=1.2.3"),
        (">1.2.3 || 0.1.x", ">=0.1.0-0 <0.2.0-0 || >1.2.3"),
        (">=1.0.0-rc.1", ">=1.0.0-rc.1"),
        ("<1.0.0 >=2.0.0", ""),
    ],
)
def test_opened_admits_prereleases_of_the_same_versions(text: str, shown: str) -> None:
    assert opened(Range.parse(text)) == shown
