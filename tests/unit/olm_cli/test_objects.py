from __future__ import annotations

from olm_cli.objects import objects_of

ONE, TWO, THREE = ({"kind": kind} for kind in ("One", "Two", "Three"))


def test_objects_are_found_in_lists_at_any_depth() -> None:
    documents = [ONE, {"kind": "List", "items": [[TWO], {"items": [THREE]}]}, [], None, "text", 3]
    assert list(objects_of(documents)) == [ONE, TWO, THREE]


def test_object_whose_items_are_no_list_is_an_object() -> None:
    config = {"kind": "Config", "items": {"a": "b"}}
    assert list(objects_of([config])) == [config]
