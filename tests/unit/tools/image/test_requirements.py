"""What the image installs is what the project is tested with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[4]
_NAME = re.compile(r"^[A-Za-z0-9.-]+")


def pins(path: Path) -> dict[str, str]:
    """Name to the whole requirement with its hashes, without comments."""
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    found = re.split(r"\n(?=\S)", "\n".join(lines).strip())
    return {item.partition("==")[0]: re.sub(r"\s+", " ", item.replace("\\\n", "")) for item in found}


def test_every_library_of_the_image_is_the_one_of_the_lock_with_the_same_hashes() -> None:
    everything = pins(PROJECT / "requirements.lock")
    image = pins(PROJECT / "tools/image/requirements.lock")
    assert {name: everything.get(name) for name in image} == image


def test_the_image_has_what_the_project_asks_for_and_nothing_for_developers() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = names([*project["dependencies"], *extras["cli"], *extras["constraints"]])
    image = set(pins(PROJECT / "tools/image/requirements.lock"))
    assert wanted - image == set()
    assert image & (names(extras["dev"]) - wanted) == set()


def test_the_build_backend_is_locked_too() -> None:
    asked = names(tomllib.loads((PROJECT / "pyproject.toml").read_text())["build-system"]["requires"])
    locked = pins(PROJECT / "tools/image/build-requirements.lock")
    assert set(locked) == asked
    assert all("--hash=sha256:" in requirement for requirement in locked.values())


def names(requirements: list[str]) -> set[str]:
    found = (_NAME.match(requirement) for requirement in requirements)
    return {match[0].lower().replace(".", "-").replace("_", "-") for match in found if match}
