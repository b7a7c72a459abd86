"""The process: program name, missing extra, help, usage errors, exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from olm_cli.commands import COMMANDS
from olm_cli.main import program_name, run
from tests.olm_command import LIGHTS, Said, olm, olm_process

WITHOUT = "import sys; sys.modules['{}'] = None; from olm_cli.main import main; sys.argv = ['olm', 'status']; main()"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/usr/bin/olm", "olm"),
        ("/usr/bin/kubectl-olm", "kubectl olm"),
        ("kubectl_olm.exe", "kubectl olm"),
        ("/x/olm_cli/__main__.py", "olm"),
    ],
)
def test_program_name_is_what_the_user_typed(path: str, name: str) -> None:
    assert program_name(path) == name


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_command_says_how_to_install_the_extra(missing: str) -> None:
    command = [sys.executable, "-c", WITHOUT.format(missing)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.stderr == f"error: olm needs {missing}, not installed: run pip install 'olmv1[cli]'\n"
    assert (done.returncode, done.stdout) == (2, "")


def test_module_runs_as_the_command() -> None:
    said = olm_process("resolve", "-p", "lantern-operator", "--version", "3", "--catalog", LIGHTS, "-o", "json")
    error = 'no bundles found for package "lantern-operator" matching version "3"'
    assert (said.code, said.json, said.err) == (1, {"error": error, "reason": "Retrying"}, "")


def test_answer_that_cannot_be_written_is_no_no() -> None:
    command = [sys.executable, "-m", "olm_cli", "catalog", "show", "--catalog", LIGHTS]
    for form in ("text", "json"):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*command, "-o", form], stdout=full, stderr=subprocess.PIPE, text=True, timeout=30, check=False
            )
        error = "error: the answer cannot be written: no space left on device\n"
        assert (done.returncode, done.stderr) == (3, error)


def test_answer_is_readable_where_its_signs_cannot_be_shown() -> None:
    command = [sys.executable, "-m", "olm_cli", "catalog", "graph", "lantern-operator", "--catalog", LIGHTS]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*command, "--from", "1.0.1"], env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "?   1.0.1" in done.stdout


def test_crash_is_no_no() -> None:
    crash = "import sys, olm_cli.main as main; main.find_spec = None; sys.argv = ['olm']; main.main()"
    done = subprocess.run([sys.executable, "-c", crash], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (3, "TypeError: 'NoneType' object is not callable")


def test_plugin_calls_itself_as_the_user_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["status", "--help"], "kubectl olm") == 0
    assert capsys.readouterr().out.startswith("Usage: kubectl olm status [OPTIONS] [NAME]\n")


@pytest.mark.parametrize("arguments", [[], ["catalog"]])
def test_command_without_arguments_teaches(arguments: list[str]) -> None:
    said = olm(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("Usage: olm")
    assert "Commands:" in said.err


@pytest.mark.parametrize("command", [f"{each.group} {each.name}".split() for each in COMMANDS], ids=" ".join)
def test_help_of_every_command_has_examples(command: list[str]) -> None:
    said = olm(*command, "--help")
    assert said.code == 0
    assert f"\n  Examples:\n    olm {' '.join(command)}" in said.out


def test_help_lists_commands_without_cutting_their_lines() -> None:
    said = olm("--help")
    assert said.code == 0
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert "resolve Tell which bundle an extension would get, or why none." in lines
    assert "..." not in said.out.partition("Commands:")[2]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param(["reslve"], "no such command 'reslve'; did you mean 'resolve'? (see olm --help)", id="command"),
        pytest.param(["status", "--foo"], "no such option: --foo (see olm status --help)", id="option"),
        pytest.param(
            ["status", "--contxt"],
            "no such option: --contxt; did you mean --context or --output? (see olm status --help)",
            id="option with a typo",
        ),
        pytest.param(
            ["catalog", "versions"], "missing argument 'PACKAGE' (see olm catalog versions --help)", id="missing"
        ),
        pytest.param(["resolve"], "which package? name it: olm resolve PACKAGE", id="no package"),
        pytest.param(
            ["resolve", "a", "-p", "b"], 'two packages are named, "a" and "b": drop one of them', id="two packages"
        ),
        pytest.param(
            ["resolve", "-o", "xml"],
            "invalid value for '-o' / '--output': 'xml' is not one of 'text', 'json', 'yaml' (see olm resolve --help)",
            id="value",
        ),
        pytest.param(
            ["catalog", "show", "--catalog", LIGHTS, "--catalogd-url", "https://localhost:8443"],
            "--catalog and --catalogd-url exclude each other: drop one of them",
            id="two places",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(arguments: list[str], error: str) -> None:
    assert olm(*arguments) == Said(2, "", f"error: {error}\n")


def test_version_is_printed() -> None:
    said = olm("--version")
    assert (said.code, said.out.startswith("olm ")) == (0, True)


def test_reader_that_goes_away_is_no_error() -> None:
    script = f"{sys.executable} -m olm_cli catalog versions lantern-operator --catalog {LIGHTS} -o json | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", script], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
