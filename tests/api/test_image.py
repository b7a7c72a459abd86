"""The image: built from the Containerfile's steps, read-only, and both components at work in it."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from devcluster.cluster import Cluster
from devcluster.processes import tail_of
from e2e.logs import problems
from e2e.world import World
from tests.api.contained import Contained, readable_copy, said_inside
from tests.api.operators import do_the_main_job
from tools.image.bill import PLACE
from tools.image.building import Image, build_image, why_not_here
from tools.locked import canonical

REPO = Path(__file__).parents[2]
SIGNED = REPO / "tests/cases/signed-image"
SIGNER = "5CF0B7AEB53B2F5239A38674A385686970A7F4E7"
SAMPLE = REPO / "config/samples/bundles"
UNWANTED = re.compile(
    r"^(apt.*|dpkg.*|bash|busybox|perl.*|pip.*|g?cc.*|c\+\+|g\+\+.*|ld|as|clang.*|make|go|rustc|tcc|curl|wget)$"
)
# The package of the Kubernetes client imports its models, which the image leaves out; ours goes past it.
IMPORT_ALL = """
import importlib, pkgutil
from importlib.metadata import packages_distributions
from importlib.util import find_spec
ours = ["olmv1", "catalogd", "operator_controller", "olm_cli"]
names = {name for name in packages_distributions() if name.isidentifier() and find_spec(name)} - {"kubernetes_asyncio"}
for name in ours:
    walked = pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}.")
    names |= {module.name for module in walked if not module.name.endswith("__main__")}
for name in sorted(names):
    importlib.import_module(name)
print(len(names))
"""
DECIDE = """
from olmv1.constraints import Property
from olmv1.rules import IsolatedRules
print(IsolatedRules().decide("properties.exists(p, p.type == 'lamp')", [(Property("lamp", 1),), ()]).holds)
"""


@pytest.fixture(scope="module")
def image() -> Image:
    if reason := why_not_here():
        pytest.skip(f"the image cannot be built here: {reason}")
    return build_image()


@pytest.fixture
def world(own_cluster: Cluster, image: Image, tmp_path: Path) -> Iterator[World]:
    """OLM at work out of the image."""
    made = World(own_cluster)
    catalogd, controller = made.both
    before = {component.name: len(component.log_text()) for component in made.both}
    with (
        Contained(image, own_cluster, catalogd, tmp_path / "catalogd") as first,
        Contained(image, own_cluster, controller, tmp_path / "controller") as second,
    ):
        for contained in (first, second):
            contained.wait_ready()
            print(f"ready after {contained.cpu_s()} CPU s")
            assert (contained.status("Uid").split(), contained.status("CapEff")) == (["65532"] * 4, "0" * 16)
        yield made
    for component in made.both:
        # pytest shows captured output of failed tests only
        print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
    assert (first.process.returncode(), second.process.returncode()) == (0, 0)
    for component in made.both:
        assert problems(component.log_text()[before[component.name] :]) == []


def test_both_components_do_the_main_job_out_of_a_read_only_root(world: World) -> None:
    do_the_main_job(world)


def test_the_image_has_its_programs_and_no_package_manager_or_compiler(image: Image) -> None:
    programs = {path.name for folder in ("usr/bin", "usr/sbin", "usr/local/bin") for path in files_in(image, folder)}
    assert programs == {
        *("catalogd", "operator-controller", "olm", "kubectl-olm", "helm", "skopeo", "gpg", "gpgconf", "sh"),
        *(name for name in programs if name.startswith("python")),
    }
    executables = [path for path in files_in(image, "") if path.stat().st_mode & 0o111]
    assert [path for path in executables if UNWANTED.match(path.name)] == []


def test_nothing_in_the_image_can_be_changed_or_raises_rights(image: Image) -> None:
    modes = {path: path.lstat() for path in image.root.rglob("*")}
    shared = image.root / "tmp"
    assert [
        path
        for path, found in modes.items()
        if not stat.S_ISLNK(found.st_mode) and found.st_mode & 0o6022 and path != shared
    ] == []
    assert {(found.st_uid, found.st_gid) for found in modes.values()} == {(0, 0)}
    kinds = {stat.S_IFMT(found.st_mode) for found in modes.values()}
    assert kinds == {stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK}


def test_every_module_is_compiled(image: Image) -> None:
    sources = [path for path in files_in(image, "") if path.suffix == ".py"]
    assert len(sources) > 1000
    missing = [path for path in sources if not list((path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"))]
    assert missing == []


def test_every_library_and_module_of_the_image_can_be_imported(image: Image) -> None:
    code, said = said_inside(image, "python3", "-I", "-c", IMPORT_ALL)
    assert code == 0, said
    assert int(said.splitlines()[-1]) > 500


def test_every_program_of_the_image_runs(image: Image, tmp_path: Path) -> None:
    helm = re.search(r"^\s*helm\.sh/helm/v3 (\S+)", (REPO / "tools/go.mod").read_text(), re.MULTILINE)
    assert helm is not None
    bundle = next(path.parent for path in sorted(SAMPLE.rglob("manifests")))
    shown = {"/tmp/bundle": readable_copy(bundle, tmp_path)}
    expected = {
        ("helm", "version", "--short"): helm[1],
        ("skopeo", "--version"): "skopeo version ",
        ("gpg", "--version"): "gpg (GnuPG) ",
        ("catalogd", "version"): "0.1.0",
        ("operator-controller", "version"): "0.1.0",
        ("kubectl-olm", "--version"): "olm 0.1.0",
        ("olm", "render", "/tmp/bundle", "--namespace", "lamps", "-o", "json"): '"kind"',
        ("python3", "-I", "-c", DECIDE): "(True, False)",
    }
    said = {command: said_inside(image, *command, binds=shown) for command in expected}
    failed = {command: said[command] for command, text in expected.items() if not right(*said[command], text)}
    assert failed == {}


def test_the_image_runs_as_any_account(image: Image) -> None:
    other = replace(image, config=replace(image.config, user="1000680000:0"))
    assert said_inside(other, "olm", "--version") == (0, "olm 0.1.0\n")


def test_the_image_trusts_the_authorities_of_debian_and_knows_its_packages(image: Image) -> None:
    code, said = said_inside(image, "python3", "-I", "-c", "import ssl; ssl.create_default_context(); print('made')")
    assert (code, said) == (0, "made\n")
    assert "BEGIN CERTIFICATE" in (image.root / "etc/ssl/certs/ca-certificates.crt").read_text()
    packages = {path.name for path in (image.root / "var/lib/dpkg/status.d").iterdir()}
    assert {"base-files", "ca-certificates", "gpg", "libc6", "skopeo"} <= packages


@pytest.mark.parametrize(
    ("reference", "code", "text"),
    [
        ("registry.example/lamp:v1", 0, f"Signature verified using fingerprint {SIGNER}"),
        ("registry.example/lamp:v2", 1, 'does not match \\"registry.example/lamp:v2\\"'),
    ],
)
def test_skopeo_checks_signatures_in_the_image(
    image: Image, tmp_path: Path, reference: str, code: int, text: str
) -> None:
    shown = {"/tmp/signed": readable_copy(SIGNED, tmp_path)}
    verify = ("skopeo", "standalone-verify", "--public-key-file=/tmp/signed/key.asc", "/tmp/signed/manifest.json")
    ended, said = said_inside(image, *verify, reference, SIGNER, "/tmp/signed/signature", binds=shown)
    assert (ended, text in said) == (code, True), said


def test_the_image_lists_what_is_in_it(image: Image) -> None:
    bill = json.loads((image.root / PLACE).read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    listed = {component["purl"].partition("@")[0]: component for component in bill["components"]}
    libraries = {path.name.partition("-")[0] for path in image.root.glob("usr/**/*-packages/*.dist-info")} - {"olmv1"}
    assert len(libraries) > 30
    assert {f"pkg:pypi/{canonical(name)}" for name in libraries} == {
        name for name in listed if name.startswith("pkg:pypi/")
    }
    packages = {path.name for path in (image.root / "var/lib/dpkg/status.d").iterdir()}
    assert {f"pkg:deb/debian/{quote(name)}" for name in packages} == {
        name for name in listed if name.startswith("pkg:deb/")
    }
    helm = listed["pkg:golang/helm.sh/helm/v3"]
    assert {"stdlib", "k8s.io/client-go"} <= {module["name"] for module in helm["components"]}
    skopeo = listed["pkg:deb/debian/skopeo"]
    assert any(part["name"].startswith("golang-") for part in skopeo["components"])
    unlicensed = [name for name, each in listed.items() if name.startswith("pkg:pypi/") and not each.get("licenses")]
    assert unlicensed == []


def test_the_image_is_started_without_rights_and_says_what_it_is(image: Image) -> None:
    config = image.config
    assert (config.user, config.command) == ("65532:65532", ("olm", "--help"))
    version = re.search(r'^version = "(.+)"$', (REPO / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    assert config.labels["org.opencontainers.image.version"] == version[1]


def right(code: int, said: str, text: str) -> bool:
    return code == 0 and text in said


def files_in(image: Image, folder: str) -> Iterator[Path]:
    return (path for path in (image.root / folder).rglob("*") if path.is_file())
