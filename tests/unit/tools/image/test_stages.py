"""Stages without commands: what is copied, and when a stage is made again. Commands are in tests/api/test_image.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.image.containerfile import parse
from tools.image.debian import Base, BuildError
from tools.image.stages import Workshop, build

TEXT = "FROM base AS first\nCOPY app /opt/app\nCOPY LICENSE README /doc/\nFROM scratch\nCOPY --from=first /opt /\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    (project / "app/__pycache__").mkdir(parents=True)
    (project / "app/__pycache__/main.pyc").write_text("compiled")
    (project / "app/main.py").write_text("1")
    (project / "LICENSE").write_text("free")
    (project / "README").write_text("read")
    return project


def a_workshop(project: Path, told: list[str] | None = None) -> Workshop:
    base = project.parent / "base"
    base.mkdir(exist_ok=True)
    (base / "from-base").write_text("")
    return Workshop(
        project=project,
        folder=project.parent / "stages",
        bases=lambda name: Base(base, name),
        caches=lambda name: project.parent / name,
        network={},
        network_binds={},
        report=(told if told is not None else []).append,
    )


def files_of(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}


def test_build_copies_from_the_project_and_from_stages(project: Path) -> None:
    root = build(parse(TEXT, {}), a_workshop(project))
    (first,) = root.parent.glob("first-*")
    assert files_of(root) == {"app/main.py": "1"}
    expected = {"doc/LICENSE": "free", "doc/README": "read", "from-base": "", "opt/app/main.py": "1"}
    assert files_of(first) == expected


def test_a_file_is_copied_under_another_name(project: Path) -> None:
    root = build(parse("FROM scratch\nCOPY LICENSE /doc/licence", {}), a_workshop(project))
    assert files_of(root) == {"doc/licence": "free"}


def test_what_did_not_change_is_not_made_again(project: Path) -> None:
    told: list[str] = []
    stages = parse(TEXT, {})
    roots = [build(stages, a_workshop(project, told)) for _ in range(2)]
    (project / "README").write_text("other")
    roots.append(build(stages, a_workshop(project, told)))
    assert told == ["stage 1 of 2: first", "stage 2 of 2: image"] * 2
    assert (roots[0] == roots[1], roots[1] == roots[2]) == (True, False)


def test_roots_of_earlier_builds_go_when_nobody_can_be_using_them_any_more(project: Path) -> None:
    older = build(parse("FROM scratch\nCOPY README /", {}), a_workshop(project))
    recent = build(parse("FROM scratch\nCOPY app /", {}), a_workshop(project))
    os.utime(older, (0, 0))
    root = build(parse("FROM scratch\nCOPY LICENSE /", {}), a_workshop(project))
    assert set(root.parent.iterdir()) == {recent, root}


def test_a_stage_that_fails_leaves_nothing(project: Path) -> None:
    stages = parse("FROM scratch\nCOPY LICENSE /\nRUN it", {})
    with pytest.raises(BuildError, match=r'^RUN "it" needs a base image, and there is none$'):
        build(stages, a_workshop(project))
    assert list((project.parent / "stages").iterdir()) == []


def test_a_file_that_is_not_there_is_named(project: Path) -> None:
    with pytest.raises(BuildError, match=r"^COPY gone: there is no such file in the project$"):
        build(parse("FROM scratch\nCOPY gone /", {}), a_workshop(project))
