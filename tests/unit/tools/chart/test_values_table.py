"""The table of values is made of the comments in `values.yaml`, and is current."""

from __future__ import annotations

import pytest

from tools.chart.copies import CHART
from tools.chart.values_table import Row, rows_of, with_table

VALUES = """\
# About the file.

image:
  # Where it is,
  # and what it is called.
  repository: a/b
  deeper:
    # A choice: a|b.
    list: [1, x]
# All of it.
whole: {a: 1}
"""


def test_rows_have_path_default_and_comment() -> None:
    assert rows_of(VALUES) == (
        Row("image.repository", '"a/b"', "Where it is, and what it is called."),
        Row("image.deeper.list", '[1, "x"]', "A choice: a\\|b."),
        Row("whole", '{"a": 1}', "All of it."),
    )


@pytest.mark.parametrize("text", ["a: 1\n", "# about\n\na: 1\n", "a: {}\n", "a:\n  # why\n  b: 1\n  c: 2\n"])
def test_value_without_comment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^value (a|a\.c) has no comment that says what it is$"):
        rows_of(text)


def test_file_that_holds_no_mapping_is_refused() -> None:
    with pytest.raises(ValueError, match="^expected a mapping of values$"):
        rows_of("- a\n")


def test_table_comes_between_the_markers() -> None:
    readme = "before\n<!-- values: written by make manifests -->\nold\n<!-- end of values -->\nafter\n"
    made = with_table(readme, [Row("a", "1", "why")])
    assert made.splitlines() == [
        "before",
        "<!-- values: written by make manifests -->",
        "| value | default | |",
        "| --- | --- | --- |",
        "| `a` | `1` | why |",
        "<!-- end of values -->",
        "after",
    ]
    assert with_table(made, [Row("a", "1", "why")]) == made


def test_readme_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="^expected a README with <!-- values"):
        with_table("nothing\n", [])


def test_readme_of_the_chart_is_current() -> None:
    readme = (CHART / "README.md").read_text(encoding="utf-8")
    assert with_table(readme, rows_of((CHART / "values.yaml").read_text(encoding="utf-8"))) == readme, "make manifests"
