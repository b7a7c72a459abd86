from __future__ import annotations

import json

from olm_cli.debugging.collection import FILE_LIMIT, TOTAL_LIMIT, Collection


def test_files_are_redacted_and_listed_in_the_index() -> None:
    made = Collection({"extension": "till"})
    made.add_json("extension", value={"url": "https://a:b@c/d"})
    made.add_text("status", text="token=x")
    made.add_log("controller.log", "token=y\n")
    made.miss("pods: https://a:b@c/d does not answer")
    files = made.files
    assert json.loads(files.pop("index.json")) == {  # type: ignore[attr-defined]
        "extension": "till",
        "files": ["extension.json", "logs/controller.log", "status.txt"],
        "missing": ["pods: https://[redacted]@c/d does not answer"],
    }
    assert files == {
        "extension.json": b'{\n "url": "https://[redacted]@c/d"\n}\n',
        "status.txt": b"token=[redacted]\n",
        "logs/controller.log": b"token=[redacted]\n",
    }


def test_names_unpack_anywhere_and_are_not_used_twice() -> None:
    made = Collection({})
    for name in ("system:till", "system/till", "..", "", "index"):
        made.add_json(name, value=1)
    made.add_json("a" * 300, value=1)
    names = list(made.files)
    assert names[:6] == ["index.json", "system_till.json", "system_till~2.json", "_.json", "_~2.json", "index~2.json"]
    assert len(names[6]) == 105


def test_what_is_too_long_is_cut_and_said_so() -> None:
    made = Collection({})
    made.add_text("status", text="ab " * FILE_LIMIT)
    made.add_log("a", "first\n" + "x" * (FILE_LIMIT - 5) + "\nlast\n")
    assert made.files["status.txt"] == (b"ab " * FILE_LIMIT)[:FILE_LIMIT]
    assert made.files["logs/a.log"] == b"last\n"
    assert made.missing == (
        f"status: only the first {FILE_LIMIT} characters are kept",
        f"logs/a: only the last {FILE_LIMIT} characters are kept",
    )


def test_all_files_together_are_bounded() -> None:
    made = Collection({})
    for number in range(TOTAL_LIMIT // FILE_LIMIT + 1):
        made.add_text(f"text-{number}", text="a " * (FILE_LIMIT // 2 - 1) + "a")
    assert len(made.files) == TOTAL_LIMIT // FILE_LIMIT + 1
    assert made.missing == (f"text-8: left out, the archive would get larger than {TOTAL_LIMIT} bytes",)
