"""Known vulnerabilities of locked packages, as an index on loopback tells them."""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.answering_server import AnsweringServer, Reply, answering_server
from tests.documents import ROOT
from tools.advisories import IGNORED, Advisory, Answers, advisories_in, ask, report
from tools.index_client import Index, NotOfferedError, configured_index
from tools.locked import Pin

LAMP, TABLE = Pin("lamp", "1.0"), Pin("table", "2.0")
HOLE = {
    "id": "PYSEC-2026-1",
    "aliases": ["CVE-2026-1", "GHSA-1"],
    "summary": "Burns\nthe \x1b[31mhouse",
    "fixed_in": ["1.1"],
    "withdrawn": None,
}
ADVISORY = Advisory(("PYSEC-2026-1", "CVE-2026-1", "GHSA-1"), ("1.1",), "Burns the [31mhouse")


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering_server() as server:
        for pin, holes in ((LAMP, [HOLE]), (TABLE, [])):
            server.replies[path_of(pin)] = Reply({"info": {"name": pin.name}, "vulnerabilities": holes})
        yield server


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "kept/advisories.json"


def path_of(pin: Pin) -> str:
    return f"/pypi/{pin.name}/{pin.version}/json"


def index_at(server: AnsweringServer) -> Index:
    return Index(f"{server.url}/simple/")


def test_the_index_is_asked_for_every_package(server: AnsweringServer, cache: Path) -> None:
    answers = ask([LAMP, TABLE], index_at(server), cache)
    assert answers == Answers({LAMP: [ADVISORY], TABLE: []}, {})
    assert server.asked == [path_of(LAMP), path_of(TABLE)]


def test_answers_are_kept_for_a_day(server: AnsweringServer, cache: Path) -> None:
    first = ask([LAMP], index_at(server), cache)
    assert ask([LAMP, TABLE], index_at(server), cache).known[LAMP] == first.known[LAMP]
    assert server.asked == [path_of(LAMP), path_of(TABLE)]
    yesterday = time.time() - 25 * 3600
    os.utime(cache, (yesterday, yesterday))
    ask([LAMP], index_at(server), cache)
    assert server.asked == [path_of(LAMP), path_of(TABLE), path_of(LAMP)]


def test_kept_answers_do_not_get_younger_with_new_ones(server: AnsweringServer, cache: Path) -> None:
    ask([LAMP], index_at(server), cache)
    earlier = time.time() - 20 * 3600
    os.utime(cache, (earlier, earlier))
    ask([LAMP, TABLE], index_at(server), cache)
    assert cache.stat().st_mtime == pytest.approx(earlier)


@pytest.mark.parametrize("content", ["", "[]", '{"lamp==1.0": []}', '{"lamp==1.0": {"vulnerabilities": 1}}', "\x00"])
def test_a_broken_cache_holds_nothing(server: AnsweringServer, cache: Path, content: str) -> None:
    cache.parent.mkdir()
    cache.write_text(content)
    assert ask([LAMP], index_at(server), cache).known == {LAMP: [ADVISORY]}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(b"no", 404), "the index answers 404"),
        (Reply(b"no", 503), "the index answers 503"),
        (Reply(b"<html>"), "the index answers with something that is not JSON"),
        (Reply({"info": {}}), "the answer has no list of vulnerabilities"),
        (Reply([1]), "the answer has no list of vulnerabilities"),
    ],
)
def test_where_the_first_answer_fails_the_others_are_not_asked_for(
    server: AnsweringServer, cache: Path, reply: Reply, reason: str
) -> None:
    server.replies[path_of(LAMP)] = reply
    answers = ask([LAMP, TABLE], index_at(server), cache)
    assert answers == Answers({}, {LAMP: reason, TABLE: reason})
    assert server.asked == [path_of(LAMP)]
    assert report(answers) == (0, f"SKIPPED: advisories are not known for every package: {reason}\n")
    assert not cache.exists()


def test_a_later_failure_is_told_with_its_name(server: AnsweringServer, cache: Path) -> None:
    server.replies[path_of(TABLE)] = Reply(b"", 404)
    code, text = report(ask([LAMP, TABLE], index_at(server), cache))
    assert (code, text.splitlines()[1:]) == (
        1,
        [
            "SKIPPED: advisories are not known for table: the index answers 404",
            "advisories: 1 packages asked for, 1 vulnerabilities to look at",
        ],
    )


def test_an_index_that_is_away_is_a_skip_that_does_not_name_it(server: AnsweringServer, cache: Path) -> None:
    url = "http://127.0.0.1:1/simple"
    code, text = report(ask([LAMP], Index(url), cache))
    assert (code, text) == (
        0,
        "SKIPPED: advisories are not known for every package: the index cannot be reached (Connection refused)\n",
    )
    code, text = report(ask([LAMP], Index("http://index.invalid/simple"), cache))
    assert code == 0
    assert text.startswith("SKIPPED: advisories are not known for every package: the index cannot be reached (")
    assert "index.invalid" not in text


def test_the_time_for_it_is_bounded(cache: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        answers = ask([LAMP, TABLE], Index(f"http://127.0.0.1:{silent.getsockname()[1]}/simple"), cache, deadline_s=0.2)
        assert time.monotonic() - began < 4  # the client alone would wait for 5 s
    assert answers.unknown == {LAMP: "no answer in time", TABLE: "no answer in time"}


@pytest.mark.parametrize("url", ["ftp://example.com/simple", "https://example.com/index", "/srv/wheels"])
def test_an_index_without_such_an_api_is_a_skip(url: str, cache: Path) -> None:
    reason = "the index that pip is configured for offers no JSON API"
    assert ask([LAMP], Index(url), cache) == Answers({}, {LAMP: reason})


def test_a_vulnerability_fails_and_an_ignored_one_does_not() -> None:
    answers = Answers({LAMP: [ADVISORY], TABLE: []}, {})
    known = "lamp 1.0: PYSEC-2026-1, CVE-2026-1, GHSA-1"
    assert report(answers, {}) == (
        1,
        f"{known}, mended in 1.1: Burns the [31mhouse\n"
        "advisories: 2 packages asked for, 1 vulnerabilities to look at\n",
    )
    assert report(answers, {"CVE-2026-1": "no fire here", "CVE-2020-9": "old"}) == (
        0,
        f"{known}: ignored (CVE-2026-1: no fire here)\n"
        "CVE-2020-9 is ignored, and no locked package has it any more\n"
        "advisories: 2 packages asked for, 0 vulnerabilities to look at\n",
    )


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ([{**HOLE, "withdrawn": "2026-01-01T00:00:00Z"}], []),
        ([{"id": "A", "details": "long"}], [Advisory(("A",), (), "long")]),
        ([{"id": 1, "aliases": "CVE", "fixed_in": [None, "2"], "summary": []}], [Advisory(("unnamed",), ("2",))]),
        ([{"id": "A\x1b[1m", "aliases": ["\n"]}], [Advisory(("A [1m",))]),
        ([7], [Advisory(("unnamed",))]),
    ],
)
def test_odd_advisories_count(listed: list[object], expected: list[Advisory]) -> None:
    assert advisories_in({"vulnerabilities": listed}) == expected


def test_user_and_password_of_the_index_are_sent_and_not_told(cache: Path) -> None:
    logins: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            logins.append(self.headers["Authorization"])
            self.send_error(401, "no")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.handle_request)
        thread.start()
        index = configured_index({"PIP_INDEX_URL": f"http://me:a%40b@127.0.0.1:{http.server_address[1]}/simple"})
        answers = ask([LAMP], index, cache)
        thread.join()
    assert logins == [f"Basic {base64.b64encode(b'me:a@b').decode()}"]
    assert answers.unknown == {LAMP: "the index answers 401"}


def test_pip_is_asked_for_its_index(tmp_path: Path) -> None:
    settings = tmp_path / "pip.conf"
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    variables |= {"PIP_CONFIG_FILE": str(settings), "HOME": str(tmp_path)}
    settings.write_text("[global]\nindex-url = https://index.example.com/root/simple/\n")
    assert configured_index(variables) == Index("https://index.example.com/root/simple/")
    settings.write_text("[global]\nindex-url = https://me:secret@index.example.com/simple\n")
    with pytest.raises(NotOfferedError, match=r"^pip hides the password of its index: set PIP_INDEX_URL$"):
        configured_index(variables)


def test_the_command_skips_where_there_is_no_index(tmp_path: Path) -> None:
    """As `make` runs it, in a copy of what it reads: its cache is not that of the project."""
    for name in ("requirements.lock", *(f"tools/{each}.py" for each in ("advisories", "index_client", "locked"))):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    variables = {**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:1/simple", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "tools.advisories"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "SKIPPED: advisories are not known for every package: the index cannot be reached (Connection refused)\n",
        "",
    )


def test_the_cache_holds_nothing_but_advisories(server: AnsweringServer, cache: Path) -> None:
    ask([LAMP], index_at(server), cache)
    assert json.loads(cache.read_text()) == {"lamp==1.0": {"vulnerabilities": [HOLE]}}


def test_what_is_ignored_has_a_reason() -> None:
    assert [name for name, reason in IGNORED.items() if len(reason.split()) < 3] == []
