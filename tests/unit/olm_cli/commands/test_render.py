from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from olm_cli.main import run
from olmv1.images.image_manifests import HELM_CONFIG
from tests.bundles import a_crd, a_csv, bundle_files, write_bundle
from tests.charts import chart_files
from tests.helm import helm_path
from tests.oci_images import OCI, a_layer, an_image
from tests.olm_command import Said, olm
from tests.registry import running_registry
from tests.registry_tls import Authority

MODES = ["AllNamespaces", "OwnNamespace", "SingleNamespace"]


def a_folder(tmp_path: Path, *modes: str, **metadata: Any) -> str:
    csv = a_csv(installModes=[{"type": mode, "supported": True} for mode in modes or MODES])
    csv["metadata"] |= metadata
    return write_bundle(tmp_path / "bundle", bundle_files(csv, crd=a_crd()))


def watched(said: Said) -> str:
    """The namespaces that the rendered operator is told to watch."""
    [deployment] = [each for each in said.json if each["kind"] == "Deployment"]
    annotations: dict[str, str] = deployment["spec"]["template"]["metadata"]["annotations"]
    return annotations["olm.targetNamespaces"]


def test_render_prints_one_list_as_json(tmp_path: Path) -> None:
    said = olm("render", a_folder(tmp_path), "--namespace", "ns", "-o", "json")
    assert (said.code, said.err, watched(said)) == (0, "", "")
    assert [each["kind"] for each in said.json] == ["CustomResourceDefinition", "Deployment"]


def test_render_prints_documents_as_text_with_a_summary_beside_them(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    said = olm("render", folder, "--namespace", "ns")
    first, second = said.out.split("---\n")[1:]
    assert first.startswith("kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\n")
    assert second.startswith("kind: Deployment\napiVersion: apps/v1\nmetadata:\n  name: op\n  namespace: ns\n")
    counted = "op.v1.0.0 of package op: 2 objects: 1 CustomResourceDefinition, 1 Deployment\n"
    assert (said.code, said.err) == (0, counted)
    assert olm("render", folder, "--namespace", "ns", "-o", "yaml") == Said(0, said.out)


def test_render_warns_about_what_does_not_stop_it(tmp_path: Path) -> None:
    files = {**bundle_files(), "metadata/dependencies.yaml": b"- x"}
    said = olm("render", write_bundle(tmp_path, files), "-n", "ns", "-o", "json")
    assert said.code == 0
    assert said.err.startswith("warning: failed to unmarshal metadata/dependencies.yaml: ")


def test_render_takes_the_namespace_that_the_bundle_suggests(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, annotations={"operatorframework.io/suggested-namespace": "lamps"})
    said = olm("render", folder, "-o", "json")
    assert said.err == "namespace lamps, as the bundle suggests; choose another with --namespace\n"
    assert said.json[1]["metadata"]["namespace"] == "lamps"


@pytest.mark.parametrize(
    ("content", "flags"),
    [
        pytest.param("watchNamespace: team", [], id="file"),
        pytest.param('{"watchNamespace": "team"}', ["--watch-namespace", "team"], id="both the same"),
        pytest.param("", ["--watch-namespace", "team"], id="empty file and flag"),
    ],
)
def test_render_reads_configuration(tmp_path: Path, content: str, flags: list[str]) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(content)
    said = olm("render", a_folder(tmp_path), "-n", "ns", "--config", str(config), *flags, "-o", "json")
    assert watched(said) == "team"


@pytest.mark.parametrize(
    ("content", "error"),
    [
        pytest.param("- a", "{0}: expected an object, to which --watch-namespace is added", id="no object"),
        pytest.param(
            "watchNamespace: other", "{0} and --watch-namespace name two namespaces: drop one of them", id="two"
        ),
        pytest.param("a: 1\n---\nb: 1", "{0}: expected one document, found 2", id="documents"),
        pytest.param(None, "{0}: No such file or directory", id="no file"),
        pytest.param(
            "a: [", "{0}: error converting YAML to JSON: yaml: line 1: did not find expected node content", id="broken"
        ),
    ],
)
def test_render_refuses_configuration_files(tmp_path: Path, content: str | None, error: str) -> None:
    config = tmp_path / "config.yaml"
    if content is not None:
        config.write_text(content)
    said = olm("render", a_folder(tmp_path), "-n", "ns", "--config", str(config), "--watch-namespace", "team")
    assert said == Said(2, "", f"error: --config {error.format(config)}\n")


def test_render_names_every_finding_about_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"watchNamespace": "team", "x": 1}')
    said = olm("render", a_folder(tmp_path, "AllNamespaces"), "-n", "ns", "--config", str(config))
    prefix = "error: invalid ClusterExtension configuration: invalid configuration: multiple errors found:"
    found = ['error: - unknown field "watchNamespace"', 'error: - unknown field "x"']
    assert (said.code, said.err.splitlines()) == (2, [prefix, *found])


def test_render_says_no_when_the_bundle_cannot_be_installed(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, "MultiNamespace")
    error = "bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes"
    for flags in ((), ("--as-reference",)):
        assert olm("render", folder, "-n", "ns", *flags) == Said(1, "", f"error: unsupported bundle: {error}\n")


def test_render_says_how_to_name_the_namespace_to_watch(tmp_path: Path) -> None:
    said = olm("render", a_folder(tmp_path, "SingleNamespace"), "-n", "ns")
    missing = 'required field "watchNamespace" is missing'
    error = f"error: invalid ClusterExtension configuration: invalid configuration: {missing}\n"
    assert said == Said(2, "", f"{error}hint: it watches one namespace: name it with --watch-namespace NS\n")


def test_render_says_what_webhooks_need(tmp_path: Path) -> None:
    webhook = {"type": "ValidatingAdmissionWebhook", "generateName": "v.example.com", "deploymentName": "op"}
    folder = write_bundle(tmp_path, bundle_files(a_csv(webhookdefinitions=[webhook])))
    said = olm("render", folder, "-n", "ns")
    error, hint, other = said.err.splitlines()
    assert (said.code, error.startswith("error: unsupported bundle: webhookDefinitions are not supported")) == (1, True)
    names = "cert-manager, service-ca, self-signed"
    assert hint == f"hint: its webhooks need certificates: choose who makes them with --cert-provider ({names})"
    assert other == "hint: operator-controller chooses by itself, unless its own --cert-provider says otherwise"
    made = olm("render", folder, "-n", "ns", "--cert-provider", "cert-manager", "-o", "json").json
    assert [each["kind"] for each in made][-3:] == ["Service", "Issuer", "Certificate"]
    chosen, own = (olm("render", folder, "-n", "ns", "--cert-provider", each) for each in ("auto", "self-signed"))
    assert (chosen.code, chosen.out) == (0, own.out)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param([], "which bundle? name it: olm render DIR|IMAGE", id="no bundle"),
        pytest.param(["{0}"], "which namespace? the bundle suggests none: name it with --namespace NS", id="namespace"),
        pytest.param(
            ["{0}", "-n", "A b"],
            "--namespace A b: expected the name of a namespace, such as my-operator",
            id="bad name",
        ),
        pytest.param(
            ["{0}", "-n", "x", "--name", "shop"],
            "--name is for Helm charts, and this is a registry+v1 bundle",
            id="option of charts",
        ),
        pytest.param(["{0}", "--batch"], "--batch takes no BUNDLE: every request names its own", id="batch, bundle"),
        pytest.param(
            ["--batch", "-n", "x"], "--batch takes no --namespace: every request names its own", id="batch, namespace"
        ),
        pytest.param(["--batch", "-o", "yaml"], "--batch answers in JSON only", id="batch, yaml"),
    ],
)  # fmt: skip
def test_render_refuses_wrong_usage(tmp_path: Path, arguments: list[str], error: str) -> None:
    folder = a_folder(tmp_path)
    assert olm("render", *(each.format(folder) for each in arguments)) == Said(2, "", f"error: {error}\n")


async def test_render_pulls_images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority.create(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    layer = a_layer({**bundle_files(), "Dockerfile": b"FROM scratch"})
    async with running_registry(authority.server_context()) as registry:
        registry.push("team/bundle", "v1", an_image([layer]))
        ref, trust = f"{registry.host}/team/bundle", ["--pull-cas-dir", str(tmp_path)]
        said = await asyncio.to_thread(olm, "render", f"docker://{ref}:v1", "-n", "ns", "-o", "json", *trust)
        missing = await asyncio.to_thread(olm, "render", f"{ref}:v2", "-n", "ns", *trust)
    assert [each["kind"] for each in said.json] == ["Deployment"]
    error = f"error creating image source: reading manifest v2 in {ref}: 404 Not Found: manifest unknown"
    assert missing == Said(3, "", f"error: {error}\n")


def test_batch_answers_each_line_before_the_next_is_sent(tmp_path: Path) -> None:
    request = json.dumps({"bundle": a_folder(tmp_path), "namespace": "ns"}).encode() + b"\n"
    command = [sys.executable, "-m", "olm_cli", "render", "--batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for line in (request, b"{}\n", request):
            process.stdin.write(line)
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert ("objects" in answer) == (line == request)
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_render_help_shows_the_form_of_requests(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", "--help"]) == 0
    assert '{"objects": […]} or {"error": "…", "terminal": true|false}' in " ".join(capsys.readouterr().out.split())


def with_version(tmp_path: Path) -> str:
    csv = a_csv(installModes=[{"type": "AllNamespaces", "supported": True}], version="1.0.0")
    return write_bundle(tmp_path / "bundle", bundle_files(csv, crd=a_crd()))


def test_render_writes_a_chart_instead_of_printing(tmp_path: Path) -> None:
    chart = tmp_path / "chart"
    said = olm("render", with_version(tmp_path), "--namespace", "ns", "--as-chart", str(chart))
    counted = "2 objects: 1 CustomResourceDefinition, 1 Deployment"
    assert said == Said(0, "", f"op.v1.0.0 of package op as a chart in {chart}: {counted}\n")
    written = sorted(path.relative_to(chart).as_posix() for path in chart.rglob("*") if path.is_file())
    assert written == ["Chart.yaml", "manifests.yaml", "templates/manifests.yaml", "values.yaml"]


def test_render_writes_no_chart_over_other_files(tmp_path: Path) -> None:
    folder = with_version(tmp_path)
    said = olm("render", folder, "--namespace", "ns", "--as-chart", folder)
    error = f"error: --as-chart {folder}: expected a directory that is absent or empty\n"
    assert (said.code, said.out, said.err) == (2, "", error)


@pytest.fixture
def helm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(helm_path()).parent}{os.pathsep}{os.environ['PATH']}")


def a_chart_folder(tmp_path: Path, **changes: Any) -> str:
    files = {path.removeprefix("lantern/"): data for path, data in chart_files(**changes).items()}
    return write_bundle(tmp_path / "lantern", files)


def test_render_makes_objects_of_a_chart(tmp_path: Path, helm: None) -> None:
    config = tmp_path / "values.yaml"
    config.write_text("level: high")
    folder = a_chart_folder(tmp_path)
    said = olm("render", folder, "-n", "ns", "--config", str(config), "--name", "shop")
    data = "kind: ConfigMap\nmetadata:\n  name: shop-settings\n  namespace: ns\ndata:\n  level: high\n"
    assert said == Said(0, f"---\napiVersion: v1\n{data}", "chart lantern 1.0.0: 1 object: 1 ConfigMap\n")
    assert olm("render", folder, "-n", "ns", "-o", "json").json[0]["metadata"]["name"] == "lantern-settings"


def test_render_makes_a_chart_for_a_version_of_kubernetes(tmp_path: Path, helm: None) -> None:
    folder = a_chart_folder(tmp_path, kubeVersion=">=1.30.0")
    assert olm("render", folder, "-n", "ns").code == 0
    old = olm("render", folder, "-n", "ns", "--kube-version", "v1.29.0")
    assert (old.code, "1.29.0" in old.err) == (1, True)
    assert olm("render", folder, "-n", "ns", "--kube-version", "1.31").code == 0
    error = '--kube-version new: expected a version such as 1.30.2, found "new"'
    assert olm("render", folder, "-n", "ns", "--kube-version", "new") == Said(2, "", f"error: {error}\n")


async def test_render_pulls_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helm: None) -> None:
    authority = Authority.create(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    async with running_registry(authority.server_context()) as registry:
        types = replace(OCI, config=HELM_CONFIG, layer="application/vnd.cncf.helm.chart.content.v1.tar+gzip")
        registry.push("team/lantern", "1.0.0", an_image([a_layer(chart_files())], types=types))
        flags = ("-n", "ns", "--pull-cas-dir", str(tmp_path), "-o", "json")
        said = await asyncio.to_thread(olm, "render", f"{registry.host}/team/lantern:1.0.0", *flags)
    assert [each["kind"] for each in said.json] == ["ConfigMap"]


def test_render_cannot_tell_without_helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = olm("render", a_chart_folder(tmp_path), "-n", "ns")
    assert (said.code, said.err.startswith('error: cannot render chart "lantern": no command "helm" was found')) == (
        3,
        True,
    )


@pytest.mark.parametrize("flags", [("--watch-namespace", "x"), ("--as-chart", "x"), ("--as-reference",)])
def test_render_refuses_options_of_bundles_for_charts(tmp_path: Path, flags: tuple[str, ...]) -> None:
    said = olm("render", a_chart_folder(tmp_path), "-n", "ns", *flags)
    error = f"error: {flags[0]} is for registry+v1 bundles, and this is a Helm chart\n"
    assert said == Said(2, "", error)


def test_render_wants_values_to_be_an_object(tmp_path: Path) -> None:
    config = tmp_path / "values.yaml"
    config.write_text("- a")
    said = olm("render", a_chart_folder(tmp_path), "-n", "ns", "--config", str(config))
    assert said == Said(2, "", f"error: --config {config}: expected an object, the values of the chart\n")
