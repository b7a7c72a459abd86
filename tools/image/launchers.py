"""Puts the application into the image: its packages, compiled, and a launcher for each of its commands.

Runs inside the build (Containerfile, stage `application`), beside nothing but Python.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

from tools.image.compiling import compile_tree

# Isolated: neither the folder that it is started in nor a variable decides what is imported.
_LAUNCHER = """#!{interpreter} -I
from {module} import {function}

{function}()
"""


def main() -> None:
    """Make the part of the root that the arguments describe."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True, help="the folder to make")
    parser.add_argument("--application", type=Path, required=True, help="the folder with the installed application")
    given = parser.parse_args()
    root: Path = given.root
    site = root / Path(sysconfig.get_path("purelib")).relative_to("/")
    shutil.copytree(given.application, site, ignore=shutil.ignore_patterns("__pycache__", "bin"))
    _write_launchers(root, site)
    compile_tree(site, root)


def _write_launchers(root: Path, site: Path) -> None:
    folder = root / "usr/local/bin"
    folder.mkdir(parents=True)
    interpreter = Path(sys.executable).resolve()
    for distribution in distributions(path=[str(site)]):
        for command in distribution.entry_points.select(group="console_scripts"):
            text = _LAUNCHER.format(interpreter=interpreter, module=command.module, function=command.attr)
            launcher = folder / command.name
            launcher.write_text(text)
            launcher.chmod(0o755)


if __name__ == "__main__":
    main()
