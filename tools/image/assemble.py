"""Copies what the image needs out of a Debian root: Python, libraries, programs, certificates, and nothing else.

Runs inside the build (Containerfile, stage `system`) with the Python that it copies; it imports only the standard
library. Every file keeps its path. There is no package manager and no compiler in the result.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tools.image.compiling import compile_tree

# Parts of the standard library that no component imports.
_UNUSED_STDLIB = frozenset(
    {"__pycache__", "dist-packages", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "site-packages", "test"}
    | {"tkinter", "turtledemo", "turtle.py", "venv"}
)
_UNUSED_EXTENSIONS = re.compile(r"^(_?tkinter|_test|_ctypes_test|_xx|xx|_dbm|_gdbm|_curses|readline)")
# The generated models of the Kubernetes client are never imported (olmv1/kube/configuration.py): 26 MB of sources. The
# wheel of the CEL library brings the workspace that it was built in.
_UNUSED_LIBRARIES = ("kubernetes_asyncio/client/models", "kubernetes_asyncio/client/api", "bazel-project", "bin")
_SOURCES_OF_EXTENSIONS = (".c", ".cpp", ".h", ".hpp", ".pxd", ".pyx", ".pyi")
_LOADED = re.compile(r"^\s*(?:\S+ => )?(?P<path>/\S+) \(0x[0-9a-f]+\)$", re.MULTILINE)
_MISSING = re.compile(r"^\s*(?P<name>\S+) => not found$", re.MULTILINE)
_LINKS = {"bin": "usr/bin", "lib": "usr/lib", "lib64": "usr/lib64", "sbin": "usr/sbin"}
_MOUNT_POINTS = ("dev", "proc", "sys", "var/cache/catalogd", "var/cache/operator-controller")
_USERS = "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n"
_GROUPS = "root:x:0:\nnonroot:x:65532:\n"


def main() -> None:
    """Make the root that the arguments describe."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True, help="the folder to make")
    parser.add_argument("--libraries", type=Path, required=True, help="the folder with the installed dependencies")
    parser.add_argument("--program", type=Path, action="append", default=[], help="a program to copy")
    given = parser.parse_args()
    root: Path = given.root
    _skeleton(root)
    _copy_python(root)
    site = _inside(root, Path(sysconfig.get_path("purelib")))
    _copy_libraries(given.libraries, site)
    for program in given.program:
        _copy_file(program, _inside(root, program))
    copied = _copy_shared_objects(root)
    _name_packages(root, [*given.program, *copied, _interpreter()])
    _copy_certificates(root)
    _run(["ldconfig", "-r", str(root)])
    compile_tree(root, root)


def _skeleton(root: Path) -> None:
    root.mkdir(parents=True)
    for link, target in _LINKS.items():
        (root / target).mkdir(parents=True)
        (root / link).symlink_to(target)
    for folder in (*_MOUNT_POINTS, "etc", "usr/local/bin"):
        (root / folder).mkdir(parents=True)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    (root / "var/tmp").symlink_to("../tmp")  # where skopeo unpacks archives
    (root / "etc/passwd").write_text(_USERS)
    (root / "etc/group").write_text(_GROUPS)
    (root / "etc/nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files dns\n")
    shutil.copy("/etc/os-release", root / "etc/os-release")
    folders = ("/usr/local/lib", f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}", "/usr/lib")
    (root / "etc/ld.so.conf").write_text("".join(f"{folder}\n" for folder in folders))


def _interpreter() -> Path:
    return Path(sys.executable).resolve()


def _copy_python(root: Path) -> None:
    stdlib = Path(sysconfig.get_path("stdlib"))
    shutil.copytree(stdlib, _inside(root, stdlib), ignore=_unused_of_python, ignore_dangling_symlinks=True)
    interpreter = _interpreter()
    _copy_file(interpreter, _inside(root, interpreter))
    for name in ("python3", "python"):
        link = root / "usr/local/bin" / name
        link.symlink_to(os.path.relpath(interpreter, "/usr/local/bin"))


def _unused_of_python(folder: str, names: list[str]) -> set[str]:
    """What `copytree` leaves out: unused modules of the first level, extensions for tests and terminals."""
    unused = {name for name in names if name in _UNUSED_STDLIB or name.startswith("config-")}
    if Path(folder).name == "lib-dynload":
        unused |= {name for name in names if _UNUSED_EXTENSIONS.match(name)}
    return unused


def _copy_libraries(libraries: Path, site: Path) -> None:
    shutil.copytree(libraries, site, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    for name in _UNUSED_LIBRARIES:
        shutil.rmtree(site / name, ignore_errors=True)
    for path in _files(site):
        if path.suffix in _SOURCES_OF_EXTENSIONS:
            path.unlink()
        elif _is_elf(path):
            _run(["strip", "--strip-unneeded", str(path)])


def _copy_shared_objects(root: Path) -> list[Path]:
    """Copy what the dynamic linker would load for anything below `root`; returns where it came from."""
    found = _loaded([path for path in _files(root) if _is_elf(path)])
    outside = sorted(path for path in found if not path.is_relative_to(root))
    for path in outside:
        target = _inside(root, path.parent.resolve() / path.name)
        if not target.exists():
            _copy_file(path, target)
    return outside


def _loaded(programs: Sequence[Path]) -> set[Path]:
    # its exit code tells of static programs too: what counts is what it says
    told = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, check=False).stdout  # noqa: S603, S607
    if missing := sorted({match["name"] for match in _MISSING.finditer(told)}):
        sys.exit(f"shared objects are not installed: {', '.join(missing)}")
    return {Path(match["path"]) for match in _LOADED.finditer(told)}


def _name_packages(root: Path, files: Iterable[Path]) -> None:
    """Leave the Debian packages behind the files where scanners of images look, and their licences."""
    folder = root / "var/lib/dpkg/status.d"
    folder.mkdir(parents=True)
    for package in sorted({"base-files", "ca-certificates", *_owners(files)}):
        (folder / package).write_text(_run(["dpkg-query", "--status", package]))
        licence = Path("/usr/share/doc") / package / "copyright"
        if licence.exists():
            _copy_file(licence, _inside(root, licence))


def _owners(files: Iterable[Path]) -> Iterator[str]:
    """The packages of files; a file that no package owns, such as a Python built from source, has none."""
    for path in files:
        # a package may own the file by its name before /lib became a link
        for name in (path.resolve(), path, Path("/usr") / path.relative_to("/")):
            asked = subprocess.run(["dpkg-query", "--search", str(name)], capture_output=True, text=True, check=False)  # noqa: S603, S607
            if asked.returncode == 0:
                yield asked.stdout.partition(": ")[0].partition(":")[0]
                break


def _copy_certificates(root: Path) -> None:
    """Copy the certificates as OpenSSL looks them up, one by one, and as Go reads them, in one file."""
    target = root / "etc/ssl/certs"
    target.mkdir(parents=True)
    for certificate in sorted(Path("/etc/ssl/certs").iterdir()):
        if certificate.suffix in (".crt", ".0", ".1", ".2"):
            shutil.copyfile(certificate, target / certificate.name)
    (root / "usr/lib/ssl").mkdir()
    (root / "usr/lib/ssl/certs").symlink_to("/etc/ssl/certs")
    (root / "usr/lib/ssl/openssl.cnf").symlink_to("/etc/ssl/openssl.cnf")
    shutil.copy("/etc/ssl/openssl.cnf", root / "etc/ssl/openssl.cnf")


def _inside(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


if __name__ == "__main__":
    main()
