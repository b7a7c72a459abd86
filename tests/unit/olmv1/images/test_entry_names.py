"""Names in layers."""

from __future__ import annotations

import pytest

from olmv1.images.entry_names import (
    ancestors,
    configs_dir_of,
    is_within,
    link_target,
    plain_name,
    quoted,
    require_usual,
)
from olmv1.images.limits import LayerError, Limits


@pytest.mark.parametrize(
    ("name", "plain"),
    [("./a/b", "a/b"), ("a//b/", "a/b"), ("a/./b", "a/b"), (".", ""), ("./", ""), ("..a/b..", "..a/b..")],
)
def test_plain_name_folds_harmless_parts(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/passwd", "the name is absolute"),
        ("../x", 'the name has a part ".."'),
        ("a/../../x", 'the name has a part ".."'),
        ("a/..", 'the name has a part ".."'),
    ],
)
def test_plain_name_refuses_names_that_lead_out(name: str, why: str) -> None:
    with pytest.raises(LayerError) as caught:
        plain_name(name)
    assert (str(caught.value), caught.value.entry) == (why, name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\udcffb", "the name is not UTF-8"),
        ("/".join(["a"] * 65), "the name has 65 parts, the limit is 64"),
        ("a" * 256, "the name is too long (limit: 4096 bytes)"),
        ("/".join(["a" * 200] * 21), "the name is too long (limit: 4096 bytes)"),
        ("a\nb", "the name has control characters"),
        ("a\x7fb", "the name has control characters"),
    ],
)
def test_require_usual_refuses_odd_names(name: str, why: str) -> None:
    with pytest.raises(LayerError) as caught:
        require_usual(name, Limits())
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("target", "found"),
    [("b", "d/b"), ("../b", "b"), ("/etc/x", "etc/x"), ("./c/../b", "d/b"), ("..", ""), ("/", "")],
)
def test_link_target_stays_in_the_image(target: str, found: str) -> None:
    assert link_target("d/link", target) == found


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("../../etc/passwd", 'the link to "../../etc/passwd" leads out of the image'),
        ("/../etc", 'the link to "/../etc" leads out of the image'),
        ("", "the link has no target"),
    ],
)
def test_link_target_refuses_to_leave(target: str, why: str) -> None:
    with pytest.raises(LayerError) as caught:
        link_target("d/link", target)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("label", "directory"),
    [
        ("/configs", "configs"),
        ("configs/", "configs"),
        ("/a/./b//c", "a/b/c"),
        ("/a/../b", "b"),
        ("../../b", "b"),
        ("/", ""),
        ("", ""),
    ],
)
def test_configs_dir_of_cleans_the_label(label: str, directory: str) -> None:
    assert configs_dir_of(label) == directory


def test_ancestors_end_at_the_root() -> None:
    assert [list(ancestors(name)) for name in ("a/b/c", "a", "")] == [["a/b", "a", ""], [""], []]


def test_is_within_counts_whole_parts() -> None:
    assert [is_within(name, "a/b") for name in ("a/b", "a/b/c", "a/bc", "a")] == [True, True, False, False]
    assert is_within("anything", "")


def test_quoted_escapes_and_cuts() -> None:
    assert quoted('a"\n\x1b') == '"a\\"\\n\\u001b"'
    assert quoted("x" * 300) == '"' + "x" * 200 + '\\u2026"'
