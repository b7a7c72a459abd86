"""`olm rollback` against answers laid down; that it comes true is in tests/api/test_olm_rollback.py."""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.images import chart_image, digest_of
from tests.answering_server import AnsweringServer, Reply, a_status, answering_server, write_kubeconfig
from tests.builders import a_condition, an_extension, an_object_set
from tests.bundles import a_csv, bundle_files
from tests.charts import CONFIG_MAP, chart_yaml
from tests.helm import helm_path
from tests.oci_images import Image, a_layer, an_image
from tests.olm_command import Said, a_blob, olm, write_catalog
from tests.registry import running_registry
from tests.registry_tls import Authority

API = "/apis/olm.operatorframework.io/v1"
ONE = f"{API}/clusterextensions/lantern"
CHANGED, REHEARSED = f"{ONE}?fieldManager=olm-rollback", f"{ONE}?fieldManager=olm-rollback&dryRun=All"
EXTRAS = "extras.olm.operatorframework.io"


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    """lantern 1.1.0 is installed in place of 1.0.0, and asks for nothing in particular."""
    with answering_server() as running:
        nothing = Reply({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []})
        running.replies |= {"/api": nothing, "/apis": nothing, "/version": Reply({"gitVersion": "v1.36.3"})}
        installed(running, an_extension(serviceAccount=None))
        listed(running, "clusterobjectsets", a_revision("1.0.0", state="Archived"), a_revision("1.1.0", 2))
        yield running


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    """Versions 1.0.0 and 1.1.0 without images: nothing is pulled."""
    return a_catalog(tmp_path / "lights", "")


def a_catalog(folder: Path, image: str) -> str:
    names = ["lantern.v1.0.0", "lantern.v1.1.0"]
    entries = [{"name": names[0]}, {"name": names[1], "replaces": names[0]}]
    blobs = [a_blob("olm.bundle", name, "lantern", image=image) for name in names]
    package = a_blob("olm.package", "lantern", defaultChannel="stable")
    return write_catalog(folder, package, a_blob("olm.channel", "stable", "lantern", entries=entries), *blobs)


def listed(server: AnsweringServer, kind: str, *items: Mapping[str, Any]) -> None:
    server.replies[f"{API}/{kind}"] = Reply({"metadata": {"resourceVersion": "1"}, "items": list(items)})


def installed(server: AnsweringServer, ext: dict[str, Any]) -> None:
    """The extension of the cluster, which may be changed."""
    listed(server, "clusterextensions", ext)
    now = {**ext, "metadata": {**ext["metadata"], "resourceVersion": "7"}}
    server.replies |= {path: Reply(now) for path in (ONE, REHEARSED, CHANGED)}


def a_revision(version: str, number: int = 1, *, state: str = "Active", **annotations: str) -> dict[str, Any]:
    names = {"name": f"lantern.v{version}", "version": version, "reference": ""}
    found = {f"olm.operatorframework.io/bundle-{key}": value for key, value in names.items()}
    recorded = {f"{EXTRAS}/{key.replace('_', '-')}": value for key, value in annotations.items()}
    made = an_object_set(number, annotations={**found, **recorded}, conditions=[a_condition("Succeeded")], state=state)
    made["metadata"]["labels"]["olm.operatorframework.io/owner-kind"] = "ClusterExtension"
    return made


def rolled_back(kubeconfig: str, catalog: str, *options: str) -> Said:
    return olm("rollback", "lantern", "--kubeconfig", kubeconfig, "--catalog", catalog, *options)


def test_rollback_shows_what_it_would_change_and_how_to_get_back(kubeconfig: str, catalog: str) -> None:
    said = rolled_back(kubeconfig, catalog, "--dry-run")
    assert (said.code, said.err) == (3, "nothing was changed\n")
    patch = '{"spec":{"source":{"catalog":{"version":null,"upgradeConstraintPolicy":"CatalogProvided"}}}}'
    assert said.out == (
        "lantern: can be rolled back\n"
        "installed:   lantern.v1.1.0 (1.1.0)\n"
        "goes to:     lantern.v1.0.0 (1.0.0)\n"
        "which is:    revision lantern-1, the last one that succeeded before\n"
        "\n"
        "Change of spec.source.catalog\n"
        "FIELD                     NOW               THEN\n"
        "version                   not set           1.0.0\n"
        "upgradeConstraintPolicy   CatalogProvided   SelfCertified\n"
        "\n"
        "Consequences\n"
        "  lantern.v1.0.0 of catalog lights is installed\n"
        "  it stays there until the version is changed again: 1.0.0 admits nothing else\n"
        "  no edge of a catalog leads there: SelfCertified says that you vouch for the step\n"
        '  bundle "lantern.v1.0.0" goes back from the installed 1.1.0 to 1.0.0\n'
        "\n"
        "Not known\n"
        '  bundle "lantern.v1.0.0": its catalog names no image\n'
        "\n"
        "Back to following\n"
        f"  kubectl patch clusterextension lantern --type=merge '--patch={patch}'\n"
        "  it then goes on to lantern.v1.1.0, as the catalogs are now\n"
    )


def test_rollback_makes_the_change_when_nothing_holds_it_back(
    server: AnsweringServer, kubeconfig: str, catalog: str
) -> None:
    said = rolled_back(kubeconfig, catalog, "--yes", "-o", "json")
    assert (said.code, said.json["changed"], server.asked[-1]) == (0, True, CHANGED)
    assert said.err == "changed; follow it with: olm status lantern\n"


def test_rollback_is_not_made_when_the_extension_changed_meanwhile(
    server: AnsweringServer, kubeconfig: str, catalog: str
) -> None:
    ext = an_extension(serviceAccount=None)
    other = {**ext, "metadata": {**ext["metadata"], "generation": 9, "resourceVersion": "8"}}
    server.replies[ONE] = [Reply({**ext, "metadata": {**ext["metadata"], "resourceVersion": "7"}}), Reply(other)]
    said = rolled_back(kubeconfig, catalog, "--yes")
    text = 'ClusterExtension "lantern" was changed meanwhile: look again, nothing was written'
    assert (said.code, said.err) == (3, f"error: {text}\n")
    assert CHANGED not in server.asked


def test_rollback_tries_again_when_only_the_status_was_written(
    server: AnsweringServer, kubeconfig: str, catalog: str
) -> None:
    conflict = a_status(409, "Conflict", "the object has been modified")
    server.replies[CHANGED] = [conflict, Reply(an_extension())]
    assert rolled_back(kubeconfig, catalog, "--yes").code == 0
    assert server.asked.count(CHANGED) == 2


def test_rollback_that_is_not_admitted_is_held_back(server: AnsweringServer, kubeconfig: str, catalog: str) -> None:
    server.replies[REHEARSED] = a_status(403, "Forbidden", "policy says no")
    said = rolled_back(kubeconfig, catalog, "--yes", "-o", "json")
    assert (said.code, said.json["holds"]) == (
        1,
        [
            {
                "about": "admission",
                "message": 'cannot change ClusterExtension "lantern": policy says no',
                "remedies": ["ask somebody who may, or who sets the policies of the cluster"],
            }
        ],
    )


def test_rollback_asks_nobody_where_nobody_is(kubeconfig: str, catalog: str) -> None:
    said = rolled_back(kubeconfig, catalog)
    text = "nobody is there to be asked: make the change with --yes, or look at it with --dry-run"
    assert (said.code, said.err) == (2, f"error: {text}\n")


def test_rollback_to_what_is_pinned_already_changes_nothing(
    server: AnsweringServer, kubeconfig: str, catalog: str
) -> None:
    installed(server, an_extension(serviceAccount=None, catalog={"version": "1.1.0"}))
    document = rolled_back(kubeconfig, catalog, "--to", "1.1.0", "--yes", "-o", "json")
    assert (document.code, document.json["change"], document.json["changed"]) == (0, [], False)


def test_rollback_is_held_back_by_the_operator(server: AnsweringServer, kubeconfig: str, catalog: str) -> None:
    kind = {"group": "operators.coreos.com", "version": "v2", "kind": "OperatorCondition"}
    resource = {"resource": "operatorconditions", "responseKind": kind, "scope": "Namespaced", "verbs": ["get"]}
    group = {"metadata": {"name": kind["group"]}, "versions": [{"version": "v2", "resources": [resource]}]}
    server.replies["/apis"] = Reply({"kind": "APIGroupDiscoveryList", "items": [group]})
    said = {"type": "Upgradeable", "status": "False", "message": "a migration runs"}
    path = "/apis/operators.coreos.com/v2/namespaces/lantern-system/operatorconditions/lantern.v1.1.0"
    server.replies[path] = Reply({"metadata": {"name": "lantern.v1.1.0"}, "spec": {"conditions": [said]}})
    listed(
        server,
        "clusterobjectsets",
        a_revision("1.0.0", state="Archived"),
        a_revision("1.1.0", 2, operator_condition="lantern.v1.1.0"),
    )
    refused = rolled_back(kubeconfig, catalog, "--yes", "-o", "json")
    assert (refused.code, refused.err, refused.json["changed"]) == (1, "nothing was changed\n", False)
    text = 'from bundle "lantern.v1.1.0" to "lantern.v1.0.0": the operator is not upgradeable: a migration runs'
    assert refused.json["holds"] == [
        {
            "about": "operator",
            "message": f"cannot upgrade {text}",
            "remedies": ["wait for it, or override the condition Upgradeable in its OperatorCondition"],
        }
    ]


def test_rollback_tells_what_else_stands_in_its_way(server: AnsweringServer, kubeconfig: str, catalog: str) -> None:
    preflight = {"preflight": {"crdUpgradeSafety": {"enforcement": "None"}}}
    ext = an_extension(serviceAccount=None, catalog={"version": "1.x"}, install=preflight)
    owned: dict[str, Any] = {"f:spec": {"f:source": {"f:catalog": {"f:version": {}}}}}
    ext["metadata"]["managedFields"] = [{"manager": "argocd", "operation": "Apply", "fieldsV1": owned}]
    ext["metadata"]["annotations"] = {f"{EXTRAS}/paused": "true", f"{EXTRAS}/upgrade-policy": "Manual"}
    installed(server, ext)
    document = rolled_back(kubeconfig, catalog, "--dry-run", "-o", "json").json
    assert document["consequences"][-4:] == [
        "upgrade-policy Manual: it waits for approval: olm plan lantern, then olm approve lantern",
        "the check of CRDs is switched off (enforcement: None): "
        "olm crd-check cluster:lantern BUNDLE tells whether objects lose data",
        "the extension is paused: nothing happens before that ends",
        "argocd applies these fields as well: change them there, or they may be set back",
    ]


class Terminal(io.StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("typed", ["yes\n", "n\n", ""])
def test_rollback_asks_the_person_who_is_there(
    server: AnsweringServer, kubeconfig: str, catalog: str, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    said = rolled_back(kubeconfig, catalog)
    is_wanted = typed == "yes\n"
    assert (said.code, CHANGED in server.asked) == (0 if is_wanted else 1, is_wanted)
    result = "changed; follow it with: olm status lantern" if is_wanted else "nothing was changed"
    assert said.err == f"Change ClusterExtension lantern? [y/N] {result}\n"


def test_rollback_to_a_bundle_that_no_catalog_has_is_held_back(kubeconfig: str, catalog: str, tmp_path: Path) -> None:
    (tmp_path / "lights" / "catalog.json").write_text(
        "\n".join(
            json.dumps(blob)
            for blob in (
                a_blob("olm.package", "lantern", defaultChannel="stable"),
                a_blob("olm.channel", "stable", "lantern", entries=[{"name": "lantern.v1.1.0"}]),
                a_blob("olm.bundle", "lantern.v1.1.0", "lantern"),
            )
        )
    )
    said = rolled_back(kubeconfig, catalog)
    message = (
        'error upgrading from currently installed version "1.1.0": no bundles found for package "lantern" matching '
        'version "1.0.0"'
    )
    assert (said.code, said.err) == (1, "nothing was changed\n")
    assert said.out.partition("Held back\n")[2] == (
        f"  {message}\n    olm explain lantern --version 1.0.0 tells what each catalog has\n"
    )


@pytest.mark.parametrize(
    ("files", "about", "message"),
    [
        pytest.param(
            bundle_files(a_csv()),
            "configuration",
            "invalid ClusterExtension configuration: invalid configuration: multiple errors found:",
            id="configuration",
        ),
        pytest.param(
            {"metadata/annotations.yaml": b"annotations: {}\n"},
            "bundle",
            "stat manifests: no such file or directory",
            id="broken bundle",
        ),
    ],
)
async def test_rollback_is_held_back_by_what_the_bundle_does_not_take(
    tmp_path: Path, server: AnsweringServer, files: Mapping[str, bytes], about: str, message: str
) -> None:
    config = {"configType": "Inline", "inline": {"watchNamespace": "Elsewhere"}}
    installed(server, an_extension(serviceAccount=None, config=config))
    authority = Authority.create(tmp_path)
    async with running_registry(authority.server_context()) as registry:
        registry.push("lantern", "v1", an_image([a_layer(files)]))
        options = ("--pull-cas-dir", str(tmp_path), "--dry-run", "-o", "json")
        place = a_catalog(tmp_path / "lights", f"{registry.host}/lantern:v1")
        kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", server.url)
        said = await asyncio.to_thread(rolled_back, kubeconfig, place, *options)
    [hold] = said.json["holds"]
    line = f'error for resolved bundle "lantern.v1.0.0" with version "1.0.0": {message}'
    assert (said.code, hold["about"], hold["message"].splitlines()[0]) == (1, about, line)


@pytest.mark.parametrize(
    ("annotations", "held"),
    [
        pytest.param({}, ["bundle"], id="nothing said"),
        pytest.param({f"{EXTRAS}/chart-hooks": "Ignore"}, [], id="hooks ignored"),
    ],
)
async def test_rollback_to_a_chart_with_hooks_takes_the_word_of_the_extension(
    tmp_path: Path,
    server: AnsweringServer,
    monkeypatch: pytest.MonkeyPatch,
    annotations: dict[str, str],
    held: list[str],
) -> None:
    monkeypatch.setenv("PATH", str(Path(helm_path()).parent), prepend=os.pathsep)
    ext = an_extension(serviceAccount=None)
    installed(server, {**ext, "metadata": {**ext["metadata"], "annotations": annotations}})
    hook = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: probe, annotations: {helm.sh/hook: pre-install}}\n"
    templates = {"templates/hook.yaml": hook.encode(), "templates/settings.yaml": CONFIG_MAP.encode()}
    chart = chart_image({"Chart.yaml": chart_yaml(), **templates})
    authority = Authority.create(tmp_path)
    async with running_registry(authority.server_context()) as registry:
        registry.push("lantern", "v1", Image(chart.manifest, chart.media_type, {digest_of(b): b for b in chart.blobs}))
        options = ("--pull-cas-dir", str(tmp_path), "--dry-run", "-o", "json")
        place = a_catalog(tmp_path / "lights", f"{registry.host}/lantern:v1")
        kubeconfig = write_kubeconfig(tmp_path / "kubeconfig", server.url)
        said = await asyncio.to_thread(rolled_back, kubeconfig, place, *options)
    assert [each["about"] for each in said.json["holds"]] == held


def test_rollback_takes_one_task(kubeconfig: str, catalog: str) -> None:
    said = rolled_back(kubeconfig, catalog, "--yes", "--dry-run")
    assert said == Said(2, "", "error: --yes and --dry-run exclude each other: drop one of them\n")
