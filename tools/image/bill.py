"""The bill of materials of the image: CycloneDX 1.6, written into it by the build.

Names what is in the root: Python's libraries, compared with the lock; Debian's packages, with the sources that were
compiled into them; the modules that helm was built from; Python itself. Runs inside the build (Containerfile, stage
`bill`) with nothing but the standard library. The same root gives the same bytes: there is no time in it.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from email.parser import HeaderParser
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from tools.licences import licence_of_package
from tools.locked import Pin, canonical, pins

__all__ = ["PLACE", "bill_of", "debian_packages", "go_programs", "python_libraries"]

PLACE: Final = "usr/share/sbom/olmv1.cdx.json"
"""Where the bill is in the image."""

Component = dict[str, Any]
_BUILT_FROM: Final = re.compile(r"(?P<source>[a-z0-9.+-]+) \(= (?P<version>[^)\s]+)\)")


def main() -> int:
    """Write the bill that the arguments describe; exit code 1 when root and lock do not agree."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True, help="the root of the image")
    parser.add_argument("--project", type=Path, required=True, help="the pyproject.toml")
    parser.add_argument("--lock", type=Path, required=True, help="the lock file of the image")
    parser.add_argument("--modules", type=Path, required=True, help="what `go version -m` says of the programs")
    parser.add_argument("--output", type=Path, required=True, help="the file to write")
    given = parser.parse_args()
    try:
        components = [
            _component("application", "cpython", platform.python_version(), "generic/cpython"),
            *python_libraries(given.root, pins(given.lock)),
            *debian_packages(given.root),
            *go_programs(given.modules.read_text(encoding="utf-8")),
        ]
        bill = bill_of(tomllib.loads(given.project.read_text(encoding="utf-8"))["project"], components)
    except ValueError as problem:
        sys.stderr.write(f"error: {problem}\n")
        return 1
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(bill, encoding="utf-8")
    return 0


def bill_of(project: Mapping[str, Any], components: Sequence[Component]) -> str:
    """The whole document about `components`; `project` is the table of that name in pyproject.toml."""
    subject = _component("container", project["name"], project["version"], f"generic/{project['name']}")
    subject["licenses"] = [{"expression": project["license"]}]
    content = {"metadata": {"component": subject}, "components": list(components)}
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(content, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{number}", "version": 1}
    return json.dumps({**head, **content}, indent=1) + "\n"


def python_libraries(root: Path, locked: Sequence[Pin]) -> Sequence[Component]:
    """The libraries in `root`, by name.

    Raises:
        ValueError: they are not what the lock says: another version, one too many, one too few.
    """
    installed = {canonical(package.name): package for package in _distributions(root)}
    wanted = {pin.name: pin.version for pin in locked}
    found = {name: package.version for name, package in installed.items()}
    needed = {pin.name: pin.version for pin in locked if not pin.marker}
    wrong = sorted({*(found.items() - wanted.items()), *(needed.items() - found.items())})
    if wrong:
        raise ValueError(f"the lock and the root differ: {', '.join(f'{name} {version}' for name, version in wrong)}")
    return [_library(name, installed[name]) for name in sorted(installed)]


def debian_packages(root: Path) -> Iterator[Component]:
    """The packages whose files are in `root`; below each, the source packages that its build took in.

    Raises:
        ValueError: a status has no name or version.
    """
    release = _field((root / "etc/os-release").read_text(encoding="utf-8"), "VERSION_ID")
    for status in sorted((root / "var/lib/dpkg/status.d").iterdir()):
        told = HeaderParser().parsestr(status.read_text(encoding="utf-8"))
        if not (told["Package"] and told["Version"]):
            raise ValueError(f"{status.name}: expected Package and Version in the status of a package, found none")
        where = f"?arch={told['Architecture']}&distro=debian-{release}"
        package = _component("library", told["Package"], told["Version"], f"deb/debian/{told['Package']}", where)
        built_from = {
            (match["source"], match["version"])
            for name in ("Built-Using", "Static-Built-Using")
            for match in _BUILT_FROM.finditer(told[name] or "")
        }
        if built_from:
            package["components"] = [
                _nested(package, _component("library", name, version, f"deb/debian/{name}", "?arch=source"))
                for name, version in sorted(built_from)
            ]
        yield package


def go_programs(told: str) -> Iterator[Component]:
    """The programs that `go version -m` tells of; below each, its modules and Go's own library.

    Raises:
        ValueError: a program tells no module: it was built in another way.
    """
    for program in re.split(r"\n(?=\S)", told.strip()):
        first, *lines = program.splitlines()
        path, _, go = first.rpartition(": go")
        facts = [line.split("\t")[1:] for line in lines]
        main = next((fact for fact in facts if fact[0] == "mod"), None)
        if main is None:
            raise ValueError(f"{path or first}: expected the modules that it was built from, found none")
        component = _component("application", Path(path).name, main[2], f"golang/{main[1].lower()}")
        modules = [("stdlib", go), *(_replaced(facts))]
        component["components"] = [
            _nested(component, _component("library", name, version, f"golang/{name.lower()}"))
            for name, version in modules
        ]
        yield component


def _replaced(facts: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The modules a program depends on; what stands in for a module (`=>`) follows it, and counts."""
    for number, fact in enumerate(facts):
        if fact[0] == "dep":
            following = facts[number + 1] if number + 1 < len(facts) else fact
            counts = following if following[0] == "=>" else fact
            yield counts[1], counts[2]


def _distributions(root: Path) -> Iterator[Distribution]:
    for folder in ("site-packages", "dist-packages"):
        for site in sorted(root.glob(f"usr/**/python3*/{folder}")):
            yield from distributions(path=[str(site)])


def _library(name: str, package: Distribution) -> Component:
    component = _component("library", name, package.version, f"pypi/{name}")
    if expression := licence_of_package(package).expression:
        component["licenses"] = [{"expression": expression}]
    return component


def _component(kind: str, name: str, version: str, path: str, qualifiers: str = "") -> Component:
    url = f"pkg:{quote(path)}@{quote(version, safe=':')}{qualifiers}"
    return {"type": kind, "bom-ref": url, "name": name, "version": version, "purl": url}


def _nested(parent: Component, child: Component) -> Component:
    """The same part may be in two programs, and a reference means one."""
    return {**child, "bom-ref": f"{parent['bom-ref']}#{child['bom-ref']}"}


def _field(text: str, name: str) -> str:
    match = re.search(rf'^{name}="?([^"\n]*)"?$', text, re.MULTILINE)
    return match[1] if match else ""


if __name__ == "__main__":
    sys.exit(main())
