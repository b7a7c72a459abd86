"""What the bill of materials says of a root; that of the real image is in tests/api/test_image.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT
from tools.image.bill import PLACE, bill_of, debian_packages, go_programs, main, python_libraries
from tools.locked import Pin

SITE = "usr/local/lib/python3.13/dist-packages"
PROJECT = {"name": "olmv1", "version": "0.1.0", "license": "Apache-2.0"}
STATUS = """Package: skopeo
Status: install ok installed
Architecture: amd64
Version: 1.18.0+ds1-1
Description: a tool
 that works
Built-Using: golang-1.24 (= 1.24.4-1), docker-registry (= 2.8.3+ds1-2)
"""
HELM = (
    "/programs/helm: go1.26.8\n"
    "\tpath\thelm.sh/helm/v3/cmd/helm\n"
    "\tmod\thelm.sh/helm/v3\tv3.22.0\th1:aa=\n"
    "\tdep\texample.com/Lamp\tv1.0.0\n"
    "\t=>\texample.com/lantern\tv1.1.0\th1:bb=\n"
    "\tdep\texample.com/table\tv2.0.0\th1:cc=\n"
    "\tbuild\tCGO_ENABLED=0\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for name in ("Lamp_Lib", "other"):
        info = root / SITE / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\nLicense-Expression: MIT\n\n"
        )
    status = root / "var/lib/dpkg/status.d"
    status.mkdir(parents=True)
    (status / "skopeo").write_text(STATUS)
    (root / "etc").mkdir()
    (root / "etc/os-release").write_text('NAME="Debian"\nVERSION_ID="13"\n')
    return root


def test_libraries_are_those_of_the_lock(root: Path) -> None:
    locked = [Pin("lamp-lib", "1.0"), Pin("other", "1.0"), Pin("windows-only", "2.0", "sys_platform == 'win32'")]
    lamp, other = python_libraries(root, locked)
    assert lamp == {
        "type": "library",
        "bom-ref": "pkg:pypi/lamp-lib@1.0",
        "name": "lamp-lib",
        "version": "1.0",
        "purl": "pkg:pypi/lamp-lib@1.0",
        "licenses": [{"expression": "MIT"}],
    }
    assert other["purl"] == "pkg:pypi/other@1.0"


@pytest.mark.parametrize(
    ("locked", "wrong"),
    [
        ([Pin("lamp-lib", "1.0")], "other 1.0"),
        ([Pin("lamp-lib", "1.0"), Pin("other", "1.1", "sys_platform == 'win32'")], "other 1.0"),
        ([Pin("lamp-lib", "1.0"), Pin("other", "1.0"), Pin("third", "3")], "third 3"),
    ],
)
def test_a_root_that_is_not_as_locked_is_an_error(root: Path, locked: list[Pin], wrong: str) -> None:
    with pytest.raises(ValueError, match=rf"^the lock and the root differ: {wrong}$"):
        python_libraries(root, locked)


def test_packages_of_debian_tell_what_was_compiled_into_them(root: Path) -> None:
    (skopeo,) = debian_packages(root)
    reference = "pkg:deb/debian/skopeo@1.18.0%2Bds1-1?arch=amd64&distro=debian-13"
    assert (skopeo["purl"], skopeo["version"]) == (reference, "1.18.0+ds1-1")
    assert [(part["purl"], part["bom-ref"]) for part in skopeo["components"]] == [
        (url, f"{reference}#{url}")
        for url in (
            "pkg:deb/debian/docker-registry@2.8.3%2Bds1-2?arch=source",
            "pkg:deb/debian/golang-1.24@1.24.4-1?arch=source",
        )
    ]


def test_a_status_without_a_version_is_an_error(root: Path) -> None:
    (root / "var/lib/dpkg/status.d/odd").write_text("Package: odd\n")
    message = r"^odd: expected Package and Version in the status of a package, found none$"
    with pytest.raises(ValueError, match=message):
        list(debian_packages(root))


def test_programs_of_go_tell_their_modules() -> None:
    (helm,) = go_programs(HELM)
    assert (helm["name"], helm["purl"]) == ("helm", "pkg:golang/helm.sh/helm/v3@v3.22.0")
    assert [(part["name"], part["purl"]) for part in helm["components"]] == [
        ("stdlib", "pkg:golang/stdlib@1.26.8"),
        ("example.com/lantern", "pkg:golang/example.com/lantern@v1.1.0"),
        ("example.com/table", "pkg:golang/example.com/table@v2.0.0"),
    ]
    first, second = go_programs(HELM + HELM.replace("/programs/helm", "/programs/other"))
    assert (first["name"], second["name"]) == ("helm", "other")


def test_a_program_without_modules_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^/bin/x: expected the modules that it was built from, found none$"):
        list(go_programs("/bin/x: go1.26.8\n\tpath\tx\n"))


def test_the_same_content_gives_the_same_bytes_and_other_content_another_number() -> None:
    components = list(go_programs(HELM))
    bill = json.loads(bill_of(PROJECT, components))
    assert bill_of(PROJECT, components) == bill_of(PROJECT, list(go_programs(HELM)))
    assert bill["serialNumber"] != json.loads(bill_of(PROJECT, []))["serialNumber"]
    assert bill["serialNumber"].startswith("urn:uuid:")
    assert bill["metadata"]["component"]["licenses"] == [{"expression": "Apache-2.0"}]


@pytest.mark.parametrize(("version", "code"), [("1.0", 0), ("2.0", 1)])
def test_the_build_writes_it_or_fails(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], version: str, code: int
) -> None:
    lock, modules, output = root.parent / "lock", root.parent / "modules.txt", root.parent / "out" / PLACE
    lock.write_text(f"lamp-lib=={version} \\\n    --hash=sha256:00\nother==1.0 \\\n    --hash=sha256:00\n")
    modules.write_text(HELM)
    given = {"root": root, "project": ROOT / "pyproject.toml", "lock": lock, "modules": modules, "output": output}
    monkeypatch.setattr(sys, "argv", ["bill", *(f"--{name}={path}" for name, path in given.items())])
    assert main() == code
    assert output.exists() is (code == 0)
    if code:
        assert capsys.readouterr().err == "error: the lock and the root differ: lamp-lib 1.0, lamp-lib 2.0\n"
    else:
        names = [component["name"] for component in json.loads(output.read_text())["components"]]
        assert names == ["cpython", "lamp-lib", "other", "skopeo", "helm"]


def test_the_build_writes_it_where_it_is_looked_for() -> None:
    assert f"--output /out/{PLACE}\n" in (ROOT / "Containerfile").read_text()
