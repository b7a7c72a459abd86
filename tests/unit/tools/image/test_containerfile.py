from __future__ import annotations

from pathlib import Path

import pytest

from tools.image.containerfile import Cache, Config, Copy, Run, Stage, parse

PROJECT = Path(__file__).parents[4]


def test_parse_reads_stages_with_their_steps() -> None:
    text = """
# a comment
ARG BASE=registry.example/base:1
FROM ${BASE} AS made
WORKDIR /src
ENV LEVEL=2 NAME="two words"
COPY --from=other /a /b
COPY one two ./
RUN --mount=type=cache,id=pip,target=/cache \\
    # still a comment
    make && \\
    install
"""
    environment = {"LEVEL": "2", "NAME": "two words"}
    assert parse(text, {}) == (
        Stage(
            "made",
            "registry.example/base:1",
            (
                Copy(("/a",), "/b", "other"),
                Copy(("one", "two"), "/src/", None),
                Run("make &&     install", (Cache("pip", "/cache"),), environment, "/src"),
            ),
            Config(environment=environment),
        ),
    )


def test_parse_takes_arguments_over_defaults() -> None:
    text = 'ARG BASE=a\nFROM $BASE\nARG BASE\nARG V=1\nARG W=2\nLABEL base=$BASE v="${V}-${W}-${X}"'
    (stage,) = parse(text, {"BASE": "b", "V": "3"})
    assert (stage.base, stage.config.labels) == ("b", {"base": "b", "v": "3-2-"})


def test_an_argument_before_the_first_stage_is_known_inside_only_when_it_is_asked_for() -> None:
    first, second = parse("ARG V=1\nFROM a AS x\nARG V\nLABEL v=$V\nFROM a AS y\nLABEL v=$V", {})
    assert (first.config.labels, second.config.labels) == ({"v": "1"}, {"v": ""})


def test_parse_reads_what_a_container_is_started_with() -> None:
    (stage,) = parse('FROM scratch\nUSER 1:2\nENV A=b\nLABEL c=d\nLABEL e=f\nCMD ["run", "it"]', {})
    assert stage == Stage("", "scratch", (), Config({"A": "b"}, {"c": "d", "e": "f"}, "1:2", ("run", "it")))


def test_every_stage_begins_in_the_root_folder() -> None:
    _, second = parse("FROM a AS x\nWORKDIR /src\nFROM a AS y\nRUN it", {})
    assert second.steps == (Run("it", (), {}, "/"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ADD a b", "instruction ADD: expected one of ARG, CMD, COPY, ENV, FROM, LABEL, RUN, USER, WORKDIR"),
        ("RUN it", "instruction RUN before the first FROM"),
        ("from a", '"from a": expected an instruction'),
        ("FROM a b", 'FROM "a b": expected IMAGE or IMAGE AS NAME'),
        ("FROM a\nCOPY b", 'COPY "b": expected SOURCE… TARGET, or --from=STAGE before them'),
        ("FROM a\nCOPY --chown=1 b c", 'COPY "--chown=1 b c": expected SOURCE… TARGET, or --from=STAGE before them'),
        ("FROM a\nENV B c", '"B c": expected NAME=VALUE…'),
        (
            "FROM a\nRUN --mount=type=secret,id=b,target=/c it",
            "RUN --mount=type=secret,id=b,target=/c: expected type=cache,id=NAME,target=FOLDER",
        ),
    ],
)
def test_parse_refuses_what_the_build_does_not_do(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse(text, {})
    assert str(caught.value) == message


def test_the_base_images_of_the_project_can_be_replaced_by_a_mirror() -> None:
    given = {"PYTHON_IMAGE": "mirror.example/python", "GO_IMAGE": "mirror.example/go"}
    stages = parse((PROJECT / "Containerfile").read_text(), given)
    assert {stage.base for stage in stages} == {"mirror.example/python", "mirror.example/go", "scratch"}
    assert stages[-1].base == "scratch"


def test_what_the_containerfile_copies_is_not_ignored() -> None:
    shown = {line[1:] for line in (PROJECT / ".containerignore").read_text().splitlines() if line.startswith("!")}
    stages = parse((PROJECT / "Containerfile").read_text(), {})
    copies = [step for stage in stages for step in stage.steps if isinstance(step, Copy) and step.origin is None]
    assert {Path(source).parts[0] for copy in copies for source in copy.sources} == shown
