"""helm as a process: what it sees, what others see of it, and that it ends when we do."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from olmv1.errors import RetryableError
from olmv1.served import Served
from operator_controller.chart import ChartError
from operator_controller.contents.helm import Helm, TemplateRequest
from tests.charts import a_chart
from tests.helm import helm_path

SLEEPER = "#!/bin/sh\necho $$ > {started}\n/bin/sleep 600 &\nwait\n"
SECRET = "correct-horse-battery-staple"


def a_request(template: str = "", *, served: Served | None = None) -> TemplateRequest:
    chart = a_chart({"templates/settings.yaml": template} if template else {})
    values = {"level": SECRET}
    return TemplateRequest("lantern", chart.all_files(), values, "rel", "shop", served or Served("1.36.3"))


def a_command(folder: Path, script: str) -> Path:
    command = folder / "helm"
    command.write_text(script)
    command.chmod(0o755)
    return command


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders of a test go."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@asynccontextmanager
async def rendering(helm: Helm, started: Path) -> AsyncIterator[asyncio.Task[bytes]]:
    """A rendering that does not end, once its command runs."""
    task = asyncio.create_task(helm.template(a_request()))
    async with asyncio.timeout(20):
        while not (started.exists() and started.read_text().strip()):  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


def processes_of(group: int) -> list[int]:
    """The processes of a group that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, pgrp = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(pgrp) == group and state != "Z":
                found.append(int(entry.name))
    return found


async def gone(group: int) -> None:
    async with asyncio.timeout(20):
        while processes_of(group):  # noqa: ASYNC110 - other processes end
            await asyncio.sleep(0.01)


async def test_template_prints_the_objects_of_a_chart() -> None:
    output = await Helm(helm_path()).template(a_request())
    assert (b'name: "rel-settings"' in output, SECRET.encode() in output) == (True, True)


async def test_template_tells_the_chart_about_the_cluster() -> None:
    template = 'a: "{{ .Capabilities.KubeVersion }} {{ .Capabilities.APIVersions.Has "example.com/v1/Lamp" }}"'
    served = Served("1.33.7", frozenset({("example.com", "v1", "Lamp")}))
    assert b"v1.33.7 true" in await Helm(helm_path()).template(a_request(template, served=served))


async def test_template_takes_more_api_versions_than_a_command_line_holds() -> None:
    kinds = frozenset(("example.com", "v1", f"{'Lamp' * 20}{number}") for number in range(3000))
    template = f'a: "{{{{ .Capabilities.APIVersions.Has "example.com/v1/{"Lamp" * 20}2999" }}}}"'
    assert b'a: "true"' in await Helm(helm_path()).template(a_request(template, served=Served("1.36.3", kinds)))


async def test_template_gives_lookup_nothing_and_resolves_no_names() -> None:
    template = 'a: "{{ len (lookup "v1" "Node" "" "") }} {{ getHostByName "localhost" }}."'
    assert b'a: "0 ."' in await Helm(helm_path()).template(a_request(template))


async def test_template_gives_helm_nothing_of_our_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELM_KUBETOKEN", SECRET)
    command = a_command(folder, "#!/bin/sh\n/usr/bin/env\n")
    output = (await Helm(str(command)).template(a_request())).decode()
    names = {line.partition("=")[0] for line in output.splitlines()}
    assert (SECRET in output, {"HOME", "KUBECONFIG", "HELM_NO_PLUGINS"} <= names, "HELM_KUBETOKEN" in names) == (
        False,
        True,
        False,
    )


async def test_template_leaves_no_file_behind(folder: Path) -> None:
    await Helm(helm_path()).template(a_request())
    assert list(folder.iterdir()) == []


async def test_template_removes_what_a_killed_process_left(folder: Path) -> None:
    left, young = folder / "olm-chart-old", folder / "olm-chart-new"
    for place in (left, young):
        (place / "values").mkdir(parents=True)
    os.utime(left, (0, 0))
    await Helm(helm_path()).template(a_request())
    assert [path.name for path in folder.iterdir()] == ["olm-chart-new"]


async def test_template_shows_no_secret_to_other_processes(folder: Path) -> None:
    started = folder / "started"
    async with rendering(Helm(str(a_command(folder, SLEEPER.format(started=started)))), started):
        pid = int(started.read_text())
        told = Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
        (inputs,) = folder.glob("olm-chart-*")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (inputs, inputs / "values.json")}
        assert SECRET.encode() not in told
        assert SECRET in (inputs / "values.json").read_text()
        assert modes == {inputs.name: 0o700, "values.json": 0o600}


async def test_template_logs_no_command_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await Helm(helm_path()).template(a_request())
    assert [record for record in caplog.records if "pyhelm3" in record.name] == []


async def test_template_kills_everything_it_started_when_cancelled(folder: Path) -> None:
    started = folder / "started"
    async with rendering(Helm(str(a_command(folder, SLEEPER.format(started=started)))), started) as task:
        group = int(started.read_text())
        assert len(processes_of(group)) > 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await gone(group)
    assert list(folder.glob("olm-chart-*")) == []


async def test_template_ends_what_takes_too_long(folder: Path) -> None:
    started = folder / "started"
    helm = Helm(str(a_command(folder, SLEEPER.format(started=started))), deadline_s=1.0)
    with pytest.raises(RetryableError, match=r'^chart "lantern" was not rendered within 1 s$'):
        await helm.template(a_request())
    await gone(int(started.read_text()))


async def test_template_says_what_to_install_when_there_is_no_helm() -> None:
    expected = (
        'cannot render chart "lantern": no command "no-helm" was found; install Helm 3 (helm.sh) on the '
        "machine that says this, and have it in PATH"
    )
    with pytest.raises(RetryableError) as caught:
        await Helm("no-helm").template(a_request())
    assert str(caught.value) == expected


async def test_template_says_why_helm_refused() -> None:
    with pytest.raises(ChartError) as caught:
        await Helm(helm_path()).template(a_request('{{ fail "set level" }}'))
    assert str(caught.value) == (
        'chart "lantern" cannot be rendered: execution error at (lantern/templates/settings.yaml:1:3): set level'
    )


async def test_template_bounds_what_a_chart_may_print() -> None:
    with pytest.raises(ChartError, match=r'^chart "lantern" renders more than 16777216 bytes$'):
        await Helm(helm_path()).template(a_request('a: {{ repeat 17000000 "x" }}'))


async def test_template_bounds_the_memory_of_a_chart() -> None:
    with pytest.raises(
        ChartError, match='^chart "lantern" cannot be rendered: helm needs more than 1024 MiB of memory$'
    ):
        await Helm(helm_path()).template(a_request('a: {{ repeat 2000000000 "x" | len }}'))
