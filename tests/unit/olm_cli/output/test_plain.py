from __future__ import annotations

from olm_cli.output.blocks import Block, Cell, Fields, Line, Table, Tone, apart
from olm_cli.output.plain import plain_lines


def lines(*blocks: Block) -> list[str]:
    return list(plain_lines(blocks))


def test_table_lines_up_its_columns_and_ends_lines_without_blanks() -> None:
    table = Table(["NAME", "VERSION", "NOTE"], [["a", Cell("1.0.0", Tone.GOOD), ""], ["longer", "2", "x"]])
    assert lines(table) == ["NAME     VERSION   NOTE", "a        1.0.0", "longer   2         x"]


def test_table_leaves_out_columns_without_content() -> None:
    assert lines(Table(["NAME", "EMPTY", "LAST"], [["a", "", "b"]])) == ["NAME   LAST", "a      b"]


def test_table_without_rows_has_no_lines() -> None:
    assert lines(Table(["NAME"], [])) == [""]


def test_fields_line_up_their_values() -> None:
    assert lines(Fields([("a", "1"), ("long name", "2")])) == ["a:           1", "long name:   2"]


def test_line_is_indented() -> None:
    assert lines(Line("hint", Tone.BAD, indent=2), Line()) == ["  hint", ""]


def test_text_of_catalogs_cannot_steer_a_terminal() -> None:
    evil = "a\x1b[31mb\nc\u202ed"
    assert lines(Line(evil), Table(["X"], [[evil]])) == ["a [31mb c d", "X", "a [31mb c d"]


def test_apart_puts_a_blank_line_between_parts() -> None:
    assert lines(*apart([[Line("a"), Line("b")], [Line("c")]])) == ["a", "b", "", "c"]
