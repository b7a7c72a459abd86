"""Runs `helm template`, through pyhelm3, as a process that sees no cluster and no network and does not outlive us.

Used by `contents`. What the chart and the user said goes to helm in files that only we may read, never in arguments;
what helm printed comes back in files too, so that a chart cannot fill our memory. Rule: helm-charts.md, "rendering";
architecture.md 3 (traps of pyhelm3).
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from olmv1.errors import RetryableError
from olmv1.served import Served
from operator_controller.chart import ChartError
from operator_controller.chart.archives import packed
from operator_controller.contents.launch import DATA_BYTES, OUTPUT_BYTES

__all__ = ["DEADLINE_S", "Helm", "TemplateRequest"]

DEADLINE_S = 60.0
"""How long one rendering may take; real charts take 0.1 s."""

_LAUNCHER = Path(__file__).with_name("launch.py")
_MESSAGE_LIMIT = 2000
_PREFIX = "olm-chart-"
_PARALLEL = 4
"""Renderings at the same time: each may use a processor and `launch.DATA_BYTES` of memory."""
_LEFT_S = 600.0
"""A folder of this age belongs to a process that was killed; what is in it may be secret."""


@dataclass(frozen=True, slots=True)
class TemplateRequest:
    """What to render: `files` relative to the folder of the chart, `values` as the user wrote them, and for whom."""

    chart: str
    files: Mapping[str, bytes]
    values: Mapping[str, Any]
    release: str
    namespace: str
    served: Served = field(default_factory=Served)


class Helm:
    """The command `executable` (a path, or a name that is searched in PATH at every use)."""

    def __init__(self, executable: str = "helm", *, deadline_s: float = DEADLINE_S) -> None:
        self._executable = executable
        self._deadline_s = deadline_s
        self._slots = asyncio.Semaphore(_PARALLEL)
        self._is_swept = False

    async def template(self, request: TemplateRequest) -> bytes:
        """What `helm template` prints for a chart, CRDs included; `lookup` finds nothing, schemas are not checked.

        Raises:
            ChartError: helm refuses the chart, or it renders too much.
            RetryableError: helm is not installed, or took too long.
        """
        helm = await asyncio.to_thread(_found, self._executable)
        if helm is None:
            raise RetryableError(
                f'cannot render chart "{request.chart}": no command "{self._executable}" was found; '
                "install Helm 3 (helm.sh) on the machine that says this, and have it in PATH"
            )
        if not self._is_swept:
            await asyncio.to_thread(_sweep, time.time())
            self._is_swept = True
        async with self._slots:
            folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix=_PREFIX))
            try:
                await asyncio.to_thread(_write_inputs, folder, request)
                await self._run(folder, helm, request)
                return await asyncio.to_thread((folder / "out").read_bytes)
            finally:
                # shielded: what helm was given may be secret, and must not stay behind when we are cancelled
                await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))

    async def _run(self, folder: Path, helm: str, request: TemplateRequest) -> None:
        import pyhelm3  # type: ignore[import-untyped]  # noqa: PLC0415 - 0.2 s that only charts need

        # it writes every command line to the log; ours hold no secret, but nobody asked for them
        logging.getLogger("pyhelm3.command").setLevel(logging.CRITICAL)
        command = pyhelm3.Command(executable=sys.executable)
        launched = ["-I", "-S", str(_LAUNCHER), str(folder), helm, *_arguments(folder, request)]
        async with asyncio.TaskGroup() as group:
            running = group.create_task(_ended(command, launched))
            try:
                done, _ = await asyncio.wait([running], timeout=self._deadline_s)
            finally:
                # pyhelm3 waits for the end of what it started: what is not killed first would be waited for
                if not running.done():
                    _kill(folder)
                    running.cancel()
        if not done:
            raise RetryableError(f'chart "{request.chart}" was not rendered within {self._deadline_s:g} s')
        refusal = await asyncio.to_thread(_refusal, folder, request.chart, running.result())
        if refusal is not None:
            raise ChartError(refusal)


async def _ended(command: Any, arguments: list[str]) -> int:
    """The exit code of a command that pyhelm3 runs."""
    import pyhelm3  # noqa: PLC0415

    try:
        await command.run(arguments)
    except pyhelm3.Error as error:
        return int(error.returncode)
    return 0


def _found(executable: str) -> str | None:
    """The absolute path of a command."""
    found = shutil.which(executable)
    return None if found is None else str(Path(found).absolute())


def _arguments(folder: Path, request: TemplateRequest) -> list[str]:
    version = request.served.kube_version
    return [
        "template",
        request.release,
        str(folder / "chart.tgz"),
        "--namespace",
        request.namespace,
        "--values",
        str(folder / "values.json"),
        "--include-crds",
        "--skip-schema-validation",
        *(["--kube-version", version] if version else []),
        "@api-versions",
    ]


def _sweep(now: float) -> None:
    """Remove what a killed process has left in the temporary folder."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if now - folder.lstat().st_mtime > _LEFT_S:
                shutil.rmtree(folder, ignore_errors=True)


def _write_inputs(folder: Path, request: TemplateRequest) -> None:
    apis = "".join(f"--api-versions={name}\n" for name in request.served.api_versions)
    inputs = {
        "chart.tgz": packed(request.files),
        "values.json": orjson.dumps(dict(request.values)),
        "api-versions": apis.encode(),
    }
    for name, content in inputs.items():
        with open(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)


def _kill(folder: Path) -> None:
    """End everything that the launcher became or started; before it has begun there is nothing to end."""
    with suppress(OSError, ValueError):
        os.killpg(int((folder / "pid").read_text()), signal.SIGKILL)


def _refusal(folder: Path, chart: str, code: int) -> str | None:
    """Why there is no result, in one line; `None` when there is one."""
    out, err = folder / "out", folder / "err"
    if out.exists() and out.stat().st_size >= OUTPUT_BYTES:
        return f'chart "{chart}" renders more than {OUTPUT_BYTES} bytes'  # helm passes over writes that fail
    if code == 0:
        return None
    said = err.read_bytes()[: 4 * _MESSAGE_LIMIT].decode(errors="replace") if err.exists() else ""
    _, is_refusal, reason = said.partition("Error: ")
    reason = reason.partition("\n\nUse --debug flag")[0] if is_refusal else _crash(said)
    line = " ".join(reason.replace(f"{folder}{os.sep}", "").split())
    cut = line if len(line) <= _MESSAGE_LIMIT else f"{line[: _MESSAGE_LIMIT - 1]}…"
    return f'chart "{chart}" cannot be rendered: {cut or "helm ended without saying why"}'


def _crash(said: str) -> str:
    """What ended helm, without the addresses and stacks that it tells with it."""
    fatal = [line for line in said.splitlines() if line.startswith("fatal error: ")]
    if fatal and fatal[0].endswith("memory"):
        return f"helm needs more than {DATA_BYTES // 2**20} MiB of memory"
    return fatal[0] if fatal else said.strip().partition("\n")[0]
