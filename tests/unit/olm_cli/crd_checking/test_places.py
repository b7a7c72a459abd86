from __future__ import annotations

import json
from pathlib import Path

import pytest

from olm_cli.crd_checking import definitions_at
from olm_cli.crd_checking.places import objects_in
from olm_cli.problems import BadInput
from tests.definitions import LAMPS, a_definition, a_lamp


async def test_file_may_hold_lists_documents_and_other_kinds(tmp_path: Path) -> None:
    place = tmp_path / "crds.yaml"
    in_list = {"kind": "List", "items": [[a_definition()], {"kind": "Secret"}]}
    place.write_text(f"kind: Secret\n---\n{json.dumps(in_list)}\n---\n- 1\n")
    found = await definitions_at(str(place))
    assert (found.place, list(found.found), found.is_whole) == (str(place), [LAMPS], True)


async def test_directory_is_read_without_its_subdirectories(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(json.dumps(a_definition()))
    (tmp_path / "b.txt").write_text("a: [")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "c.yaml").write_text("a: [")
    assert list((await definitions_at(str(tmp_path))).found) == [LAMPS]


@pytest.mark.parametrize(
    ("limit", "value", "error"),
    [
        ("_MAX_FILES", 1, "{folder}: more than 1 files"),
        ("_MAX_FILE_BYTES", 3, "{folder}/a.yaml: larger than 3 bytes"),
    ],
)
async def test_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, error: str
) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(json.dumps(a_definition()))
    monkeypatch.setattr(f"olm_cli.crd_checking.places.{limit}", value)
    with pytest.raises(BadInput) as raised:
        await definitions_at(str(tmp_path))
    assert str(raised.value) == error.format(folder=tmp_path)


async def test_what_is_nowhere_is_neither_directory_nor_image() -> None:
    with pytest.raises(BadInput, match=r"^nowhere: there is no such directory, and it is no full image reference"):
        await definitions_at("nowhere")


def test_objects_come_out_of_lists(tmp_path: Path) -> None:
    place = tmp_path / "lamps.json"
    place.write_text(json.dumps({"items": [a_lamp("a"), a_lamp("b")]}))
    assert objects_in(str(place)) == (a_lamp("a"), a_lamp("b"))
