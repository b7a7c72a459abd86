"""The programs: the key of their cache, their flags, and where they are taken from."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devcluster import binaries
from devcluster.errors import DevClusterError

GO_MOD = "module olmv1/tools\n\nrequire (\n\tk8s.io/kubernetes v1.36.3\n)\n"


def a_module(folder: Path, *, go_mod: str = GO_MOD, go_sum: str = "sum") -> Path:
    folder.mkdir(parents=True)
    (folder / "go.mod").write_text(go_mod)
    (folder / "go.sum").write_text(go_sum)
    return folder


def a_program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def a_compiler(folder: Path, build: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `go` in PATH that tells its version, and does `build` to build; `$8` is the folder to write into."""
    compiler = a_program(folder / "go-bin" / "go")
    version = '[ "$1" = version ] && echo "go version go1.26.0 linux/amd64" && exit 0'
    compiler.write_text(f"#!/bin/sh\n{version}\n{build}\n")
    monkeypatch.setenv("PATH", f"{compiler.parent}:/usr/bin:/bin")


def refuse(line: str) -> None:
    raise AssertionError(f"nothing was to be built: {line}")


def test_linker_flags_tell_the_version_of_the_module() -> None:
    assert binaries.linker_flags(GO_MOD) == (
        "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitMajor=1"
        " -X k8s.io/component-base/version.gitMinor=36 -X k8s.io/component-base/version.gitTreeState=clean"
    )


def test_linker_flags_tell_the_version_of_helm() -> None:
    flags = binaries.linker_flags(GO_MOD.replace(")", "\thelm.sh/helm/v3 v3.22.0 // indirect\n)"))
    assert flags.endswith(
        " -X helm.sh/helm/v3/internal/version.version=v3.22.0"
        " -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=36"
    )


def test_linker_flags_refuse_a_module_without_kubernetes() -> None:
    with pytest.raises(DevClusterError, match=r"^tools/go.mod requires no k8s.io/kubernetes$"):
        binaries.linker_flags("module olmv1/tools\n")


def test_versions_key_is_the_same_for_the_same_module(tmp_path: Path) -> None:
    first, second = a_module(tmp_path / "a"), a_module(tmp_path / "b")
    assert binaries.versions_key(first) == binaries.versions_key(second)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda folder: a_module(folder, go_sum="other"), id="sums"),
        pytest.param(lambda folder: a_module(folder, go_mod=GO_MOD.replace("36.3", "36.4")), id="versions"),
    ],
)
def test_versions_key_changes_with_the_module(tmp_path: Path, changed: Callable[[Path], Path]) -> None:
    assert binaries.versions_key(a_module(tmp_path / "a")) != binaries.versions_key(changed(tmp_path / "b"))


def test_ensure_takes_given_programs_before_its_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = binaries.versions_key(a_module(tmp_path / "tools"))
    given = a_program(tmp_path / "assets" / "etcd")
    kept = a_program(tmp_path / ".tools" / key / "bin" / "kwok")
    a_program(kept.with_name("etcd"))
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(given.parent))
    found = binaries.ensure(["etcd", "kwok"], project_dir=tmp_path, report=refuse)
    assert found.paths == {"etcd": given, "kwok": kept}


def test_ensure_refuses_given_programs_that_are_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "absent"))
    with pytest.raises(DevClusterError, match=r"^KUBEBUILDER_ASSETS is .*/absent, which is not a folder$"):
        binaries.ensure(["etcd"], project_dir=tmp_path, report=refuse)


def test_ensure_builds_once_when_two_ask_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    a_module(tmp_path / "tools")
    a_compiler(tmp_path, 'echo built >> "$(dirname "$0")/count"; touch "$8/kwok" "$8/server"; sleep 0.3', monkeypatch)
    told: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        calls = [
            pool.submit(binaries.ensure, ["kwok", "etcd"], project_dir=tmp_path, report=told.append) for _ in range(2)
        ]
        found = [call.result(timeout=30) for call in calls]
    assert found[0] == found[1]
    assert all(path.exists() for path in found[0].paths.values())
    assert (tmp_path / "go-bin" / "count").read_text() == "built\n"
    assert "another build of the tools is running: waiting for it" in told


def test_ensure_leaves_nothing_in_the_cache_when_the_build_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    module = a_module(tmp_path / "tools")
    cache = tmp_path / ".tools" / binaries.versions_key(module)
    (cache / "build-of-a-killed-run").mkdir(parents=True)
    a_compiler(tmp_path, 'touch "$8/kwok"; echo broken >&2; exit 1', monkeypatch)
    with pytest.raises(DevClusterError, match=r"^the build of the tools failed:\nbroken$"):
        binaries.ensure(["kwok"], project_dir=tmp_path, report=lambda _: None)
    assert [path.name for path in cache.rglob("*")] == ["bin"]
