"""The `olm` command in tests: in this process for what needs no cluster, and small catalogs to look into."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from olm_cli.main import run

__all__ = ["LIGHTS", "Said", "a_blob", "olm", "olm_process", "write_catalog"]

LIGHTS = str(Path(__file__).parents[1] / "config" / "samples" / "catalogs" / "lights-2")


@dataclass(frozen=True)
class Said:
    """What a command said: exit code, standard output, standard error."""

    code: int
    out: str
    err: str = ""

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def olm(*arguments: str) -> Said:
    """`olm ARGUMENTS`, run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return Said(code, out.getvalue(), err.getvalue())


def olm_process(*arguments: str, env: Mapping[str, str] | None = None, timeout_s: float = 60) -> Said:
    """`python -m olm_cli ARGUMENTS`, run as a process of its own."""
    command = [sys.executable, "-m", "olm_cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), **(env or {})}
    done = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return Said(done.returncode, done.stdout, done.stderr)


def a_blob(schema: str, name: str, package: str = "", **fields: Any) -> dict[str, Any]:
    """One blob; a bundle `p.v1.2.3` gets the version of its name, unless `version` says another."""
    blob: dict[str, Any] = {"schema": schema, "name": name, **({"package": package} if package else {})}
    if schema == "olm.bundle":
        identity = {"packageName": package, "version": fields.pop("version", name.partition(".v")[2])}
        if "release" in fields:
            identity["release"] = fields.pop("release")
        blob["image"] = f"registry.example/{package}:{name}"
        blob["properties"] = [{"type": "olm.package", "value": identity}]
    return {**blob, **fields}


def write_catalog(folder: Path, *blobs: Mapping[str, Any]) -> str:
    """A catalog directory of these blobs, and its path as the command line has it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "catalog.json").write_text("\n".join(json.dumps(blob, indent=1) for blob in blobs))
    return str(folder)
