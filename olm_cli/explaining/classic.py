"""What OLM Classic would have done, for people who come from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from olm_cli.output import Block, Cell, Fields, Line, Table, Tone
from operator_controller.explanation import Classic, ClassicChoice, Explanation, Move

__all__ = ["classic_section"]

_FEW = 8


def classic_section(found: Explanation, *, is_whole: bool) -> Iterator[Block]:
    """A Subscription with the same wish, what it gets, and why that differs; then every channel."""
    classic = found.classic
    if classic is None:
        return
    agrees = Cell("yes", Tone.GOOD) if classic.is_same else Cell("no", Tone.DOUBTFUL)
    rows: list[tuple[str, Cell | str]] = [
        ("subscription", f"catalog {classic.catalog}, channel {classic.channel or 'none'}"),
        ("would", _would(classic)),
        ("same as here", agrees),
        *(("because", f"{each.rule}: {each.text}") for each in classic.differences),
    ]
    if classic.documented:
        rows.append(("documented", f"{classic.documented}; its resolver does not look there"))
    yield Fields(rows)
    yield from _channels(classic.choices, is_whole=is_whole)


def _would(classic: Classic) -> str:
    match classic.move:
        case Move.ERROR:
            return f"fail: {classic.error}"
        case Move.STAY:
            return "stay, and report no error"
        case _:
            verb = "install" if classic.move is Move.INSTALL else "upgrade to"
            return f"{verb} {classic.bundle}{_then(classic.hops[1:])}"


def _then(hops: Sequence[str]) -> str:
    if not hops:
        return ""
    more = f", … {hops[-1]}" if len(hops) > _FEW else ""
    return f", then {', '.join(hops[: _FEW if not more else _FEW - 2])}{more}"


def _channels(choices: Sequence[ClassicChoice], *, is_whole: bool) -> Iterator[Block]:
    if len(choices) < 2:
        return
    shown = choices if is_whole else choices[:_FEW]
    has_several = len({each.catalog for each in choices}) > 1
    rows: list[list[Cell | str]] = [
        [
            each.catalog if has_several else "",
            Cell(each.channel, Tone.STRONG if each.is_default else Tone.PLAIN),
            "default" if each.is_default else "",
            each.chain.head,
            _move(each),
        ]
        for each in shown
    ]
    yield Table(["CATALOG", "CHANNEL", "", "HEAD", "CLASSIC WOULD"], rows)
    if len(choices) > len(shown):
        yield Line(f"and {len(choices) - len(shown)} more: show them with --all", Tone.FAINT, indent=2)


def _move(choice: ClassicChoice) -> str:
    match choice.move:
        case Move.ERROR:
            return f"fail: {choice.chain.error or 'no operators in the channel'}"
        case Move.STAY:
            return "stay"
        case _:
            return f"{choice.move} {choice.bundle}"
