from __future__ import annotations

import pytest

from olmv1.fbc import FbcError, IgnoreStack

NOTHING_BUT_JSON_AND_YAML = b"**/*\n!*.json\n!*.yaml\n**/objects/*.json\n**/objects/*.yaml\n"


def loaded(patterns: dict[str, bytes], files: str) -> list[str]:
    stack = IgnoreStack.parse({f"{folder}.indexignore": content for folder, content in patterns.items()})
    return [name for name in files.split(",") if not stack.ignores(name)]


@pytest.mark.parametrize(
    ("patterns", "files", "expected"),
    [
        pytest.param(
            {"pkg/": NOTHING_BUT_JSON_AND_YAML},
            "other/readme.md,pkg/index.json,pkg/index.yaml,pkg/README.md,pkg/objects/a.json,pkg/objects/b.yaml,"
            "pkg/objects/readme.txt,pkg/sub/x.yaml,pkg/sub/objects/c.json,pkg/sub/deep/objects/d.yaml",
            ["other/readme.md", "pkg/index.json", "pkg/index.yaml", "pkg/sub/x.yaml"],
            id="an allow list of one folder",
        ),
        pytest.param({"": b"a/"}, "a/x.json,b/x.json,c/a/x.json,a.json", ["b/x.json", "a.json"], id="directories"),
        pytest.param({"": b"/a"}, "a/x.json,b/x.json,c/a/x.json", ["b/x.json", "c/a/x.json"], id="anchored"),
        pytest.param(
            {"": b"a/\n!a/keep.json"},
            "a/x.json,a/keep.json,b/keep.json",
            ["a/keep.json", "b/keep.json"],
            id="re-included",
        ),
        pytest.param(
            {"": b"a\n!keep.json"},
            "a/x.json,a/keep.json,b/keep.json",
            ["a/keep.json", "b/keep.json"],
            id="re-included by name",
        ),
        pytest.param(
            {"": b"x.json", "sub/": b"!x.json\ny.json"},
            "x.json,sub/x.json,sub/y.json",
            ["sub/x.json"],
            id="inner list last",
        ),
        pytest.param({"": b"x[0-9].json"}, "x1.json,x2.json,xa.json", ["xa.json"], id="a set of characters"),
        pytest.param(
            {"": b"p/*.json"},
            "p/q.json,p/objects/x.json,objects/x.json",
            ["p/objects/x.json", "objects/x.json"],
            id="a star within one part",
        ),
        pytest.param(
            {"": b"\\#x.json\n\\!x.json\n   x y.json  \n# x.json"},
            "x.json,#x.json,!x.json, x.json,x y.json",
            ["x.json", " x.json"],
            id="escapes and blanks",
        ),
        pytest.param({"": b"a.json"}, "A.json,a.json", ["A.json"], id="letter case"),
        pytest.param({"": b"\xef\xbb\xbfa.json\r\nb.json\r\n"}, "a.json,b.json,c.json", ["c.json"], id="BOM and CRLF"),
        pytest.param(
            {"sub/": b"*"}, "x.json,sub/x.json,subway/x.json", ["x.json", "subway/x.json"], id="own folder only"
        ),
        pytest.param({}, "a.json", ["a.json"], id="no list"),
    ],
)
def test_ignore_stack_follows_the_last_pattern_that_matches(
    patterns: dict[str, bytes], files: str, expected: list[str]
) -> None:
    assert loaded(patterns, files) == expected


@pytest.mark.parametrize("pattern", ["[z-a]", "a\\", "!", "[[:alpha:]]", "/", "//", "["])
def test_ignore_stack_passes_over_patterns_that_match_nothing(pattern: str) -> None:
    assert loaded({"": f"{pattern}\nb.json".encode()}, "a.json,b.json") == ["a.json"]


def test_ignore_stack_takes_names_that_are_no_text() -> None:
    assert loaded({"": b"*.json"}, "\udcff.json,\udcff.yaml") == ["\udcff.yaml"]


def test_ignore_stack_is_not_slowed_by_hostile_patterns() -> None:
    pattern = b"*a" * 60 + b"b"
    assert loaded({"": pattern}, "a" * 4000) == ["a" * 4000]


def test_ignore_stack_refuses_too_many_patterns() -> None:
    with pytest.raises(FbcError, match=r"^pkg/\.indexignore: expected at most 1000 patterns, found 1001$"):
        IgnoreStack.parse({"pkg/.indexignore": b"x\n" * 1001})


def test_ignore_stack_stays_as_it_is_when_a_file_is_added() -> None:
    outer = IgnoreStack.parse({".indexignore": b"x.json"})
    inner = outer.with_file("sub/.indexignore", b"!x.json")
    assert (outer.ignores("sub/x.json"), inner.ignores("sub/x.json"), inner.ignores("x.json")) == (True, False, True)
