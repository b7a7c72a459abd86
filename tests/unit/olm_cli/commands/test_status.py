from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from olmv1.constraints import Property
from operator_controller.dependencies import recorded_properties
from tests.answering_server import AnsweringServer, Reply, a_status, answering_server, write_kubeconfig
from tests.builders import a_condition, an_extension, an_object_set
from tests.olm_command import Said, olm
from tests.requirements import BLUE, GREEN, an_api, needs_api, needs_package

API = "/apis/olm.operatorframework.io/v1"
LIST, SETS = f"{API}/clusterextensions", f"{API}/clusterobjectsets"
GOOD = (
    a_condition("Installed", message="Installed bundle registry.example/lantern:1.0.1 successfully"),
    a_condition("Progressing", message="Desired state reached"),
    a_condition("Available", reason="ProbesSucceeded", message="all probes succeeded"),
)


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering_server() as running:
        nothing = Reply({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []})
        running.replies |= {"/api": nothing, "/apis": nothing, "/version": Reply({"gitVersion": "v1.36.3"})}
        yield running


def named(name: str, *conditions: dict[str, Any], installed: str | None = "1.0.1", **spec: Any) -> dict[str, Any]:
    """An extension as stored; conditions are about its current generation."""
    ext = an_extension(**spec)
    status: dict[str, Any] = {"conditions": [{**condition, "observedGeneration": 2} for condition in conditions]}
    if installed:
        status["install"] = {"bundle": {"name": f"lantern.v{installed}", "version": installed}, "catalog": "lights"}
        status["activeRevisions"] = [{"name": f"{name}-1"}]
    return {**ext, "metadata": {**ext["metadata"], "name": name}, "status": status}


def a_list(*items: dict[str, Any]) -> Reply:
    return Reply({"metadata": {"resourceVersion": "1"}, "items": list(items)})


def a_revision(name: str, *properties: Property, recorded: bool = True) -> dict[str, Any]:
    """The revision that is installed of an extension."""
    annotations = {
        "olm.operatorframework.io/bundle-name": f"{name}.v1.0.1",
        "olm.operatorframework.io/bundle-version": "1.0.1",
        "olm.operatorframework.io/package-name": name,
    }
    if recorded:
        annotations["extras.olm.operatorframework.io/bundle-properties"] = recorded_properties(properties, ())
    made = an_object_set(annotations=annotations, conditions=[a_condition("Succeeded")])
    owner = {"olm.operatorframework.io/owner-kind": "ClusterExtension", "olm.operatorframework.io/owner-name": name}
    return {**made, "metadata": {**made["metadata"], "name": f"{name}-1", "labels": owner}}


def status(
    server: AnsweringServer, kubeconfig: str, *extensions: dict[str, Any], options: tuple[str, ...] = ()
) -> Said:
    server.replies[LIST] = a_list(*extensions)
    server.replies.setdefault(SETS, a_list(*(a_revision(each["metadata"]["name"]) for each in extensions)))
    return olm("status", "--kubeconfig", kubeconfig, *options)


def test_status_shows_a_table_and_the_messages_of_what_is_not_done(server: AnsweringServer, kubeconfig: str) -> None:
    refused = 'no bundles found for package "lantern" matching version "3.x" in channels [stable fast]'
    good = named("good", *GOOD, catalog={"version": "~1.0"})
    stuck = named(
        "stuck",
        GOOD[0],
        a_condition("Progressing", reason="Retrying", message=refused),
        a_condition("Available", "False", "ProbeFailure", "Deployment a:\nnot enough replicas"),
        a_condition("BundleDeprecated", reason="Deprecated", message="too old"),
        catalog={"version": "3.x", "channels": ["stable", "fast"], "upgradeConstraintPolicy": "SelfCertified"},
    )
    wanted = "lantern 3.x in stable, fast (SelfCertified)"
    assert status(server, kubeconfig, stuck, good) == Said(
        1,
        f"NAME    VERSION   WANTED{' ' * 40}CATALOG   INSTALLED   PROGRESSING       AVAILABLE\n"
        f"good    1.0.1     lantern ~1.0{' ' * 34}lights    True        True              True\n"
        f"stuck   1.0.1     {wanted}   lights    True        True (Retrying)   False (ProbeFailure)\n"
        "\n"
        "stuck\n"
        f"  Progressing: {refused}\n"
        "  Available: Deployment a:\n"
        "    not enough replicas\n"
        "  BundleDeprecated: too old\n"
        "  more about it: olm explain stuck\n",
    )


def test_status_is_0_when_everything_is_as_wanted(server: AnsweringServer, kubeconfig: str) -> None:
    said = status(server, kubeconfig, named("good", *GOOD), options=("-o", "json"))
    [document] = said.json
    assert (said.code, document["state"], document["installed"]) == (
        0,
        "Done",
        {"name": "lantern.v1.0.1", "version": "1.0.1"},
    )


@pytest.mark.parametrize(
    ("ext", "code", "remark"),
    [
        pytest.param(
            named("x", installed=None),
            3,
            "the controller has not looked at it yet; is operator-controller running?",
            id="new",
        ),
        pytest.param(
            {**named("x", *GOOD), "metadata": {"name": "x", "generation": 9}},
            3,
            "the controller has not looked at it yet; is operator-controller running?",
            id="changed",
        ),
        pytest.param(
            named(
                "x",
                a_condition("Installed", "False", "Absent", "No bundle installed"),
                a_condition("Progressing", reason="RollingOut", message="Revision 1.0.1 is rolling out."),
                installed=None,
            ),
            1,
            "Progressing: Revision 1.0.1 is rolling out.",
            id="rolling out",
        ),
        pytest.param(
            {
                **named("x", *GOOD),
                "metadata": {"name": "x", "generation": 2, "deletionTimestamp": "2026-01-01T00:00:00Z"},
            },
            1,
            "is being deleted",
            id="going",
        ),
    ],
)
def test_status_tells_what_is_not_done(
    server: AnsweringServer, kubeconfig: str, ext: dict[str, Any], code: int, remark: str
) -> None:
    said = status(server, kubeconfig, ext)
    assert said.code == code
    assert f"\n  {remark}\n" in said.out


def test_status_prefers_no_to_unknown(server: AnsweringServer, kubeconfig: str) -> None:
    failed = named("a", GOOD[0], a_condition("Progressing", "False", "Blocked", "no"))
    assert status(server, kubeconfig, failed, named("b", installed=None)).code == 1


def test_status_of_one_extension_has_every_condition(server: AnsweringServer, kubeconfig: str) -> None:
    ext = named("lantern", *GOOD, a_condition("Deprecated", "False", "NotDeprecated", "not deprecated"))
    assert status(server, kubeconfig, ext, named("other"), options=("lantern",)) == Said(
        0,
        "lantern\n"
        "package:           lantern\n"
        "wanted:            any version\n"
        "channels:          all\n"
        "policy:            CatalogProvided\n"
        "installed:         lantern.v1.0.1 (1.0.1)\n"
        "catalog:           lights\n"
        "namespace:         lantern-system\n"
        "service account:   installer\n"
        "revisions:         lantern-1\n"
        "\n"
        "CONDITION     STATUS   REASON            MESSAGE\n"
        "Installed     True     Succeeded         Installed bundle registry.example/lantern:1.0.1 successfully\n"
        "Progressing   True     Succeeded         Desired state reached\n"
        "Available     True     ProbesSucceeded   all probes succeeded\n"
        "Deprecated    False    NotDeprecated     not deprecated\n",
    )


def test_status_of_one_extension_shows_long_messages_below_the_table(server: AnsweringServer, kubeconfig: str) -> None:
    refused = a_condition("Progressing", reason="Retrying", message="refused: a\nrefused: b\n  - c")
    said = status(server, kubeconfig, named("lantern", GOOD[0], refused), options=("lantern",))
    assert said.out.endswith(
        "Progressing   True     Retrying    (3 lines, see below)\n"
        "\n"
        "Progressing: refused: a\n"
        "  refused: b\n"
        "  - c\n"
        "\n"
        "  more about it: olm explain lantern\n"
    )


def test_status_says_at_once_that_no_cluster_answers(tmp_path: Path) -> None:
    nowhere = write_kubeconfig(tmp_path / "kubeconfig", "https://127.0.0.1:1")
    assert olm("status", "--kubeconfig", nowhere).err.endswith(
        "error: cannot list clusterextensions: GET /apis/olm.operatorframework.io/v1/clusterextensions: "
        "the Kubernetes API is not reachable: connection refused; "
        "check the address in the kubeconfig (https://127.0.0.1:1), or choose another --context\n"
    )


def test_status_of_one_extension_is_one_document(server: AnsweringServer, kubeconfig: str) -> None:
    said = status(server, kubeconfig, named("lantern", *GOOD), options=("lantern", "-o", "yaml"))
    document = yaml.safe_load(said.out)
    conditions = document.pop("conditions")
    assert conditions[1] == {
        "type": "Progressing",
        "status": "True",
        "reason": "Succeeded",
        "message": "Desired state reached",
    }
    assert document == {
        "name": "lantern",
        "package": "lantern",
        "namespace": "lantern-system",
        "serviceAccount": "installer",
        "wanted": {"version": None, "channels": [], "policy": "CatalogProvided"},
        "installed": {"name": "lantern.v1.0.1", "version": "1.0.1"},
        "catalog": "lights",
        "isDeleting": False,
        "state": "Done",
        "classicPhase": "Succeeded",
        "activeRevisions": ["lantern-1"],
        "availableUpgrades": [],
        "strangeExtras": [],
        "notes": None,
        "apis": {"provides": [], "requires": [], "neededBy": [], "problem": ""},
    }


def test_status_of_one_extension_shows_its_apis_and_who_needs_them(server: AnsweringServer, kubeconfig: str) -> None:
    server.replies[SETS] = a_list(
        a_revision("lantern", an_api(GREEN), needs_api(BLUE), needs_package("shop", ">=1.0.0")),
        a_revision("shop", needs_api(GREEN)),
    )
    said = status(server, kubeconfig, named("lantern", *GOOD), named("shop"), options=("lantern",))
    lines = said.out.partition("all probes succeeded\n")[2].splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "",
        "Provides",
        "KIND GROUP VERSION",
        "Green greens.example.com v1",
        "",
        "Requires",
        "REQUIRES BY",
        "unmet API Blue.v1.blues.example.com",
        'met package "shop" in version range ">=1.0.0" ClusterExtension "shop"',
        "",
        "Needed by",
        "EXTENSION REQUIRES",
        "shop API Green.v1.greens.example.com",
    ]


def test_status_says_when_apis_are_not_known(server: AnsweringServer, kubeconfig: str) -> None:
    server.replies[SETS] = a_list(a_revision("lantern", recorded=False))
    ext = named("lantern", *GOOD)
    said = status(server, kubeconfig, ext, options=("lantern",))
    assert said.out.endswith(
        '\n\nits APIs and dependents are not known: the revision of bundle "lantern.v1.0.1" recorded no properties\n'
    )
    server.replies[SETS] = a_status(403, "Forbidden", "no")
    document = status(server, kubeconfig, ext, options=("lantern", "-o", "json")).json
    assert document["apis"] == {
        "provides": None,
        "requires": None,
        "neededBy": None,
        "problem": "cannot list clusterobjectsets: no; "
        "ask for the ClusterRole operator-controller-clusterextension-viewer-role",
    }


def test_wide_status_shows_upgrades_and_the_phase_of_classic(server: AnsweringServer, kubeconfig: str) -> None:
    new = named("new", a_condition("Progressing", reason="RollingOut", message="Revision 1.0.1 is rolling out."))
    new["status"] = {"conditions": new["status"]["conditions"], "activeRevisions": [{"name": "new-1"}]}
    old = named("old", *GOOD)
    old["status"]["availableUpgrades"] = [
        {"bundle": "lantern.v1.2.0", "version": "1.2.0", "release": "2"},
        {"bundle": "lantern.v1.1.0", "version": "1.1.0"},
    ]
    said = status(server, kubeconfig, new, old, options=("-o", "wide"))
    shown = [" ".join(line.split()) for line in said.out.splitlines()[:3]]
    assert shown == [
        "NAME VERSION WANTED CATALOG NAMESPACE REVISIONS UPGRADES CLASSIC PHASE INSTALLED PROGRESSING AVAILABLE",
        "new - lantern lantern-system new-1 InstallReady - True (RollingOut) -",
        "old 1.0.1 lantern lights lantern-system old-1 1.2.0+2 and 1 more Succeeded True True True",
    ]
    details = status(server, kubeconfig, old, options=("old", "-o", "wide")).out
    assert "\nupgrades:          1.2.0+2, 1.1.0\n" in details
    assert "\nclassic phase:     Succeeded\n" in details


def test_status_of_an_upgrade_that_waits_names_the_plan(server: AnsweringServer, kubeconfig: str) -> None:
    text = "upgrade from 1.0.1 to 1.1.0 waits for approval of plan 0123456789ab"
    ext = named("lantern", *GOOD, a_condition("UpgradePending", reason="ApprovalRequired", message=text))
    said = status(server, kubeconfig, ext)
    assert (said.code, said.out.partition("\n\n")[2]) == (
        0,
        f"lantern\n  UpgradePending: {text}\n  what it would change: olm plan lantern\n",
    )


def test_status_of_a_chart_ends_with_its_notes(server: AnsweringServer, kubeconfig: str) -> None:
    annotations = {"extras.olm.operatorframework.io/notes": "Open it:\n\n  kubectl port-forward\x1b[31m svc/lantern 80"}
    metadata = {"name": "lantern-1", "annotations": annotations}
    revision = {"apiVersion": "x/v1", "kind": "ClusterObjectSet", "metadata": metadata}
    server.replies["/apis/olm.operatorframework.io/v1/clusterobjectsets/lantern-1"] = Reply(revision)
    said = status(server, kubeconfig, named("lantern", *GOOD), options=("lantern",))
    assert said.out.endswith("\n\nnotes\n  Open it:\n\n    kubectl port-forward [31m svc/lantern 80\n")
    shown = status(server, kubeconfig, named("lantern", *GOOD), options=("lantern", "-o", "json"))
    assert shown.json["notes"] == annotations["extras.olm.operatorframework.io/notes"]


def test_status_suggests_an_extension_when_the_name_is_unknown(server: AnsweringServer, kubeconfig: str) -> None:
    said = status(server, kubeconfig, named("lantern", *GOOD), options=("lanter",))
    error = 'the cluster has no ClusterExtension "lanter"; did you mean "lantern"?'
    assert said == Said(1, "", f"error: {error}\n")


def test_status_of_an_empty_cluster(server: AnsweringServer, kubeconfig: str) -> None:
    assert status(server, kubeconfig) == Said(0, "", "the cluster has no ClusterExtensions\n")
    assert status(server, kubeconfig, options=("-o", "json")) == Said(0, "[]\n")


MISSING = "pre-authorization failed: service account requires the following permissions"
NOWHERE = 'service account "installer" not found in namespace "lantern-system"'
NOT_OURS = 'CustomResourceDefinition "lanterns.lights.example.com" is not managed by OLM'
RBAC = "olm rbac lantern --extension lantern --namespace lantern-system --service-account installer"
EXTRAS = "extras.olm.operatorframework.io"


@pytest.mark.parametrize(
    ("progressing", "catalog", "step"),
    [
        pytest.param(
            a_condition("Progressing", reason="Retrying", message=f"{MISSING}:\n  a\n  b"),
            {},
            f"to write the rights: {RBAC} --upgrades --apply",
            id="rights",
        ),
        pytest.param(
            a_condition("Progressing", reason="Retrying", message=f"operation cannot proceed: {NOWHERE}"),
            {"version": ">=1 <2", "channels": ["stable"], "upgradeConstraintPolicy": "SelfCertified"},
            f"to write the rights: {RBAC} --version '>=1 <2' --channel stable --policy SelfCertified "
            "--upgrades --apply",
            id="account",
        ),
        pytest.param(
            a_condition("Progressing", "False", "Blocked", NOT_OURS),
            {},
            "to take over what nobody controls: "
            f"kubectl annotate clusterextension lantern --overwrite {EXTRAS}/adopt=IfUnowned",
            id="definition of somebody else",
        ),
        pytest.param(
            a_condition("Progressing", "False", "Paused", "nothing is applied"),
            {},
            f"to go on: kubectl annotate clusterextension lantern {EXTRAS}/paused-",
            id="paused",
        ),
    ],
)
def test_status_tells_the_next_step(
    server: AnsweringServer, kubeconfig: str, progressing: dict[str, Any], catalog: dict[str, Any], step: str
) -> None:
    ext = named("lantern", GOOD[0], progressing, catalog=catalog)
    assert status(server, kubeconfig, ext).out.splitlines()[-1] == f"  {step}"


def test_status_of_what_is_being_deleted_sends_nobody_to_the_resolver(server: AnsweringServer, kubeconfig: str) -> None:
    waits = a_condition("Progressing", "False", "Blocked", "2 objects of kind Lantern would be lost")
    ext = named("lantern", GOOD[0], waits)
    ext["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert status(server, kubeconfig, ext).out.splitlines()[-2:] == [
        "  is being deleted",
        "  Progressing: 2 objects of kind Lantern would be lost",
    ]


def test_status_names_extras_that_mean_nothing(server: AnsweringServer, kubeconfig: str) -> None:
    ext = named("lantern", *GOOD)
    ext["metadata"]["annotations"] = {f"{EXTRAS}/paused": "yes", "example.com/team": "a"}
    text = f'annotation "{EXTRAS}/paused" has no effect: expected one of true, false, found "yes"'
    assert status(server, kubeconfig, ext).out.splitlines()[-2:] == ["lantern", f"  {text}"]
    assert status(server, kubeconfig, ext, options=("lantern",)).out.endswith(f"\n\n  {text}\n")
    assert status(server, kubeconfig, ext, options=("lantern", "-o", "json")).json["strangeExtras"] == [text]


def test_status_of_one_extension_says_a_message_once(server: AnsweringServer, kubeconfig: str) -> None:
    refused = {"reason": "Retrying", "message": "refused: a\nrefused: b"}
    ready, reconciling = a_condition("Ready", "False", **refused), a_condition("Reconciling", **refused)
    ext = named("lantern", GOOD[0], a_condition("Progressing", **refused), ready, reconciling)
    said = status(server, kubeconfig, ext, options=("lantern",))
    assert said.out.count("refused: a") == 1
    assert "Ready         False    Retrying    as Progressing\n" in said.out
    assert "Reconciling   True     Retrying    as Progressing\n" in said.out
