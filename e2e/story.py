"""The chapters of the demo: commands that a person would type, their real output, and what must be true after them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final

from devcluster.errors import DevClusterError
from e2e.inventory import Inventory, take, wait_for_inventory
from e2e.logs import problems
from e2e.samples import push_catalog
from e2e.terminal import Terminal
from e2e.world import OWNER, UnmetError, World, condition, expect

__all__ = ["CHAPTERS", "Story"]

ACCOUNT = "system:serviceaccount:lantern-system:lantern-installer"
_PROGRESSING = """jsonpath='{.status.conditions[?(@.type=="Progressing")].message}'"""
_EVERYTHING = "all,serviceaccounts,configmaps,crds,clusterroles,clusterrolebindings,clusterobjectsets"


class Story:
    """The world, the terminal, and what a later chapter must remember."""

    def __init__(self, world: World, terminal: Terminal) -> None:
        self.world = world
        self.terminal = terminal
        self.before: Inventory = frozenset()

    def type(self, command: str, *, code: int = 0) -> str:
        """Show a command (`kubectl …` or `olm …`), run it, show what it printed, and give it back.

        Raises: DevClusterError when it does not end with `code`.
        """
        self.terminal.command(command)
        program, *arguments = shlex.split(command)
        done = self.world.kubectl.attempt(*arguments) if program == "kubectl" else self._olm(arguments)
        output = (done.stdout + done.stderr).decode()
        self.terminal.output(output)
        if done.returncode != code:
            raise DevClusterError(f"{command} ended with code {done.returncode}: {output.strip()}")
        return output

    def _olm(self, arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, **self.world.cluster.environment, "COLUMNS": "120"}
        command = [sys.executable, "-m", "olm_cli", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)

    def ask_for(self, fields: str) -> None:
        """Change `spec.source.catalog` of the extension as a person would."""
        patch = f'{{"spec":{{"source":{{"catalog":{fields}}}}}}}'
        self.type(f"kubectl patch clusterextension lantern --type=merge -p '{patch}'")


def serve(story: Story) -> None:
    """A catalog image becomes a served catalog."""
    story.type("kubectl apply -f config/samples/clustercatalog.yaml")
    story.type("kubectl wait --for=condition=Serving clustercatalog/lights --timeout=30s")
    story.type("kubectl get clustercatalog lights")
    catalog = story.world.wait_serving()
    digest = catalog["status"]["resolvedSource"]["image"]["ref"].rpartition("@")[2]
    story.before = take(story.world.kubectl)
    story.terminal.good(f"the tag was resolved to {digest[:19]}…, pulled, unpacked, and is served over TLS")


def install(story: Story) -> None:
    """A ClusterExtension waits for its account, then becomes objects applied as that account."""
    world, terminal = story.world, story.terminal
    story.type("kubectl apply -f config/samples/clusterextension.yaml")
    missing = (
        "operation cannot proceed due to the following validation error(s): "
        'service account "lantern-installer" not found in namespace "lantern-system"'
    )
    world.wait_condition("Progressing", message=missing)
    story.type(f"kubectl get clusterextension lantern -o {_PROGRESSING}")
    terminal.say("It names an account that is not there yet, and says so. The account comes, and it goes on by itself:")
    since, began = world.cluster.audit.position(), time.monotonic()
    story.type("kubectl apply -f config/samples/installer.yaml")
    world.wait_installed("1.0.1")
    seconds = time.monotonic() - began
    story.type("kubectl get clusterextension lantern")
    story.type(
        f"kubectl get crds,clusterroles,clusterrolebindings,serviceaccounts,deployments -A -l {OWNER}=lantern -o name"
    )
    terminal.good(f"1.0.1, the newest of ~1.0, is installed and available, {seconds:.1f} s after the account came")
    terminal.good(f"{_written_as_account(story, since)} objects were written, all as {ACCOUNT} (audit log)")


def upgrade(story: Story) -> None:
    """A new edition of the catalog, and an upgrade along its graph."""
    world, terminal = story.world, story.terminal
    ref, kept = push_catalog(world.registry, 2), _uids(world)
    terminal.say("Edition 2 of the catalog is pushed under the same tag. It is polled every minute; this asks at once:")
    story.type("kubectl annotate clustercatalog lights extras.olm.operatorframework.io/poll-now=please")
    world.wait_serving(ref=ref)
    story.ask_for('{"version":"1.x"}')
    world.wait_installed("1.2.0")
    story.type("kubectl get clusterextension lantern")
    _expect_archived(story)
    story.type("kubectl get clusterobjectsets")
    terminal.good("1.2.0 is installed and available: it replaces 1.0.1 and skips 1.1.0")
    if _uids(world) != kept:
        raise UnmetError(f"the objects that stay to be the same: {kept}", f"{_uids(world)}")
    terminal.good("the new revision took CRD, account and Deployment over: they are the same objects, changed in place")


def refuse(story: Story) -> None:
    """A jump without an edge in the graph changes nothing and is explained."""
    story.ask_for('{"version":"1.0.0"}')
    text = (
        'error upgrading from currently installed version "1.2.0": '
        'no bundles found for package "lantern-operator" matching version "1.0.0"'
    )
    story.world.wait_condition("Progressing", status="True", reason="Retrying", message=text)
    story.type(f"kubectl get clusterextension lantern -o {_PROGRESSING}")
    extension = story.world.extension()
    if (
        condition(extension, "Installed").get("status") != "True"
        or condition(extension, "Available").get("status") != "True"
    ):
        raise UnmetError("1.2.0 to stay installed and available", story.world.told("clusterextension", "lantern"))
    story.terminal.good("the message names both versions; 1.2.0 stays installed and available")
    story.terminal.say(
        "The olm command runs the same resolver, here without the cluster, and tells which filter refused what:"
    )
    story.type(
        "olm resolve lantern-operator --installed 1.2.0 --version 1.0.0 --catalog config/samples/catalogs/lights-2",
        code=1,
    )


def roll_back(story: Story) -> None:
    """The same wish with SelfCertified; deprecation is told."""
    world = story.world
    story.ask_for('{"upgradeConstraintPolicy":"SelfCertified"}')
    world.wait_installed("1.0.0")
    text = "lantern-operator.v1.0.0 restarts too often; use 1.0.1 or later."
    world.wait_condition("BundleDeprecated", status="True", reason="Deprecated", message=text)
    story.type("kubectl get clusterextension lantern")
    story.type(
        "kubectl get clusterextension lantern -o jsonpath="
        """'{range .status.conditions[?(@.reason=="Deprecated")]}{.type}: {.message}{"\\n"}{end}'"""
    )
    story.terminal.good("1.0.0 is installed on the user's word, and what the catalog says against it is shown")


def repair(story: Story) -> None:
    """What is changed or deleted by hand is put right."""
    world = story.world
    story.type("kubectl -n lantern-system set image deployment/lantern-controller controller=example.com/other:v9")
    wanted = "registry.example.com/lights/lantern-controller:v1.0.0"
    changed = _seconds_until(story, f"the Deployment to run {wanted} again", lambda: _image(world) == wanted)
    story.terminal.good(f"the image of the Deployment is back after {changed:.1f} s")
    story.type("kubectl -n lantern-system delete serviceaccount lantern-controller")
    there = lambda: world.kubectl.get("serviceaccount", "lantern-controller", "lantern-system")  # noqa: E731
    deleted = _seconds_until(story, "ServiceAccount lantern-controller to be there again", there)
    story.terminal.good(f"the ServiceAccount is back after {deleted:.1f} s")


def uninstall(story: Story) -> None:
    """Everything that was applied goes; what the user made stays."""
    world = story.world
    users = _made_by_the_user(story)
    story.type("kubectl delete clusterextension lantern")
    story.type(f"kubectl get {_EVERYTHING} -A -l {OWNER}=lantern")
    wait_for_inventory(world.kubectl, story.before | users)
    story.terminal.good("of all kinds on the cluster, nothing is left but what config/samples/installer.yaml brought")
    bad = [line for component in world.both for line in problems(component.log_text())]
    if bad:
        raise UnmetError("no error in the logs of catalogd and operator-controller", "\n".join(bad[:5]))
    story.terminal.good("no error in any log")


def chart(story: Story) -> None:
    """A Helm chart is an extension like any other: values, notes, upgrade, and what it keeps."""
    world, terminal = story.world, story.terminal
    story.type("kubectl apply -f config/samples/beacon-installer.yaml -f config/samples/beacon.yaml")
    world.wait_installed("1.0.0", "beacon")
    story.type("olm status beacon")
    story.type("kubectl get deployments,configmaps -n beacon-system")
    terminal.good("the chart is rendered with its values, and applied as its service account by the same engine")
    story.type(f"kubectl patch clusterextension beacon --type=merge -p '{_config('blue')}'")
    world.wait_condition("Progressing", "beacon", status="False", reason="InvalidConfiguration")
    story.type(f"kubectl get clusterextension beacon -o {_PROGRESSING}")
    terminal.good("values.schema.json of the chart refuses it; what runs stays as it is")
    story.type(f"kubectl patch clusterextension beacon --type=merge -p '{_config('red', '1.x')}'")
    world.wait_installed("1.1.0", "beacon")
    story.type("kubectl get deployments,services -n beacon-system")
    terminal.good("1.1.0 is installed: the catalog has the graph, the chart has the objects")
    story.type("kubectl delete clusterextension beacon")
    story.type("kubectl get deployments,services,configmaps -n beacon-system -o name")
    logbook = world.kubectl.get("configmap", "beacon-logbook", "beacon-system")
    if logbook is None or logbook["metadata"].get("ownerReferences"):
        raise UnmetError("ConfigMap beacon-logbook to stay, without an owner", str(logbook))
    if world.kubectl.get("deployment", "beacon", "beacon-system") is not None:
        raise UnmetError("Deployment beacon to be gone", "it is there")
    terminal.good("everything is gone but beacon-logbook, which the chart asks to keep (helm.sh/resource-policy)")


CHAPTERS: Final[tuple[tuple[str, Callable[[Story], None]], ...]] = (
    ("A catalog image becomes a served catalog", serve),
    ("A ClusterExtension becomes running objects, applied as its service account", install),
    ("An upgrade follows the graph of the catalog", upgrade),
    ("A jump that the graph does not know is refused", refuse),
    ("SelfCertified forces it: a rollback, and a warning", roll_back),
    ("Drift is repaired", repair),
    ("Uninstalling leaves nothing", uninstall),
    ("A Helm chart is an extension, too", chart),
)


def _config(colour: str, version: str = "") -> str:
    """The patch that sets a value of the chart and, where one is given, the wanted version."""
    spec: dict[str, object] = {"config": {"inline": {"colour": colour}}}
    if version:
        spec["source"] = {"catalog": {"version": version}}
    return json.dumps({"spec": spec})


def _written_as_account(story: Story, since: int) -> int:
    """How many objects the controller created for the extension.

    Raises: UnmetError when one was written as somebody else.
    """
    audit = story.world.cluster.audit
    writes = [request for request in audit.requests(user="operator-controller", since=since) if request.is_write]
    own = ("/apis/olm.operatorframework.io/", "/apis/events.k8s.io/", "/api/v1/namespaces/olmv1-system/secrets")
    objects = [request for request in writes if not request.uri.startswith(own)]
    others = [f"{r.verb} {r.uri} as {r.as_user or r.user}" for r in objects if r.as_user != ACCOUNT]
    if others:
        raise UnmetError(f"every object to be written as {ACCOUNT}", "\n".join(others))
    return len({request.uri.partition("?")[0] for request in objects if request.code == 201})


def _expect_archived(story: Story) -> None:
    def states() -> list[str]:
        found = story.world.kubectl.items("clusterobjectsets", selector=f"{OWNER}=lantern")
        return [f"{item['metadata']['name']} {item['spec']['lifecycleState']}" for item in found]

    wanted = ["lantern-1 Archived", "lantern-2 Active"]
    expect(" and ".join(wanted), lambda: sorted(states()) == wanted, lambda: ", ".join(states()))


def _uids(world: World) -> list[str]:
    """Which CRD, account and Deployment of the sample operator these are."""
    found = world.kubectl.items("customresourcedefinitions,serviceaccounts,deployments", selector=f"{OWNER}=lantern")
    return [item["metadata"]["uid"] for item in found]


def _image(world: World) -> str:
    deployment = world.kubectl.get("deployment", "lantern-controller", "lantern-system")
    return deployment["spec"]["template"]["spec"]["containers"][0]["image"] if deployment else ""


def _seconds_until(story: Story, what: str, check: Callable[[], object]) -> float:
    began = time.monotonic()
    expect(what, lambda: bool(check()), lambda: story.world.told("clusterextension", "lantern"), 5)
    return time.monotonic() - began


def _made_by_the_user(story: Story) -> Inventory:
    """What `installer.yaml` brought, and what Kubernetes puts into a new namespace."""
    columns = "custom-columns=K:.kind,NS:.metadata.namespace,N:.metadata.name"
    files = ("-f", "config/samples/installer.yaml")
    rows = story.world.kubectl.run("get", *files, "--no-headers", "-o", columns).splitlines()
    named = [line.split() for line in rows]
    made = {f"{kind} {'' if namespace == '<none>' else namespace}/{name}" for kind, namespace, name in named}
    return frozenset(made | {"ServiceAccount lantern-system/default", "ConfigMap lantern-system/kube-root-ca.crt"})
