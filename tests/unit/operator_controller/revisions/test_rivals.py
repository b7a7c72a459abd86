from __future__ import annotations

from operator_controller.revisions.rivals import contested_text, rivals_of


def cause(manager: str, field: str) -> dict[str, str]:
    return {"reason": "FieldManagerConflict", "message": f'conflict with "{manager}" using v1', "field": field}


def test_rivals_of_names_managers_and_their_fields_sorted() -> None:
    causes = [cause("them", ".data.b"), cause("kubectl", ".data.c"), cause("them", ".data.a"), {"message": "odd"}]
    assert rivals_of(causes) == ('field manager "kubectl" sets .data.c', 'field manager "them" sets .data.a, .data.b')


def test_rivals_of_is_bounded() -> None:
    (text,) = rivals_of([cause("them", f".data.k{number:02}") for number in range(12)])
    assert text.endswith(".data.k08, .data.k09 and 2 more fields")


def test_contested_text_says_what_is_known() -> None:
    rest = ", again and again: the revision takes it back ever more rarely until one of the two gives up"
    assert contested_text(["a", "b"]) == f"a; b{rest}"
    assert contested_text([]) == f"somebody else changes it{rest}"
