"""The chapters of the upgrade gate: an extension holds OpenShift back, `olm check-upgrade` names the way out.

Told by `python -m e2e.demo --chapter upgrade-gate`, with two bundles of the sample operator that declare a maximum.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from devcluster.images import bundle_image, catalog_image
from devcluster.registry import Registry
from e2e.openshift import become_openshift, set_version
from e2e.samples import CATALOG_TAG, SAMPLES_DIR, files_below
from e2e.story import Story
from e2e.world import condition, expect

__all__ = ["GATE_CHAPTERS", "push_gate_samples"]

_MAXIMA = {"1.0.1": "4.18", "1.2.0": "4.19"}
"""Version of the sample operator → the highest version of OpenShift that its bundle declares."""

_PACKAGE = "lantern-operator"
_UPGRADEABLE = (
    """'{range .status.conditions[?(@.type=="Upgradeable")]}{.status} {.reason}{"\\n"}{.message}{"\\n"}{end}'"""
)
_REASON = "InstalledOLMOperators_IncompatibleOperatorsInstalled"


def push_gate_samples(registry: Registry) -> tuple[str, ...]:
    """Push the bundles with their maxima, and the catalog of them under the tag of the samples; the versions."""
    for version, maximum in _MAXIMA.items():
        files = files_below(SAMPLES_DIR / "bundles" / _PACKAGE / version)
        listed = {"properties": [_maximum(maximum)]}
        registry.push(_tag(version), bundle_image({**files, "metadata/properties.yaml": json.dumps(listed).encode()}))
    text = "\n".join(json.dumps(blob) for blob in _blobs())
    registry.push(CATALOG_TAG, catalog_image({"catalog.json": text.encode()}))
    return tuple(_MAXIMA)


def allow(story: Story) -> None:
    """Nothing is installed, and OpenShift is told that it may go on."""
    become_openshift(story.world, "4.18.9")
    _wait_upgradeable(story, "True", "AsExpected", "All is well")
    _show_cluster_operator(story)
    _check(story, code=0)
    story.terminal.good("no extension, no objection: exit code 0")


def block(story: Story) -> None:
    """A bundle that supports OpenShift 4.18 at most is installed."""
    story.type("kubectl apply -f config/samples/clustercatalog.yaml")
    story.world.wait_serving()
    story.type("kubectl apply -f config/samples/installer.yaml -f config/samples/clusterextension.yaml")
    story.world.wait_installed("1.0.1")
    _wait_blocked(story, "1.0.1", "4.19")
    _show_cluster_operator(story)
    said = _check(story, code=1)
    _expect_in(said, 'set version to "1.2.0" instead of "~1.0"')
    story.terminal.good("OpenShift is held back, and the way out is named: exit code 1")


def upgrade(story: Story) -> None:
    """The extension is upgraded as the command says."""
    story.ask_for('{"version":"1.2.0"}')
    story.world.wait_installed("1.2.0")
    _wait_upgradeable(story, "True", "AsExpected", "All is well")
    _show_cluster_operator(story)
    _check(story, code=0)
    story.terminal.good("1.2.0 supports 4.19, the cluster may be upgraded: exit code 0")


def remove(story: Story) -> None:
    """The cluster went to 4.19, no later bundle is there, and the extension is removed."""
    set_version(story.world, "4.19.0", "4.18.9")
    story.terminal.say("The cluster is now at 4.19, and 4.20 is what comes next:")
    _wait_blocked(story, "1.2.0", "4.20")
    _show_cluster_operator(story)
    said = _check(story, code=1)
    _expect_in(said, "or remove it: kubectl delete clusterextension lantern")
    story.type("kubectl delete clusterextension lantern")
    _wait_upgradeable(story, "True", "AsExpected", "All is well")
    _show_cluster_operator(story)
    _check(story, code=0)
    story.terminal.good("without the extension nothing holds the cluster back: exit code 0")


GATE_CHAPTERS: Final[tuple[tuple[str, Callable[[Story], None]], ...]] = (
    ("OpenShift asks whether it may be upgraded", allow),
    ("A bundle holds the cluster back", block),
    ("The remedy: upgrade the extension", upgrade),
    ("The other remedy: remove it", remove),
)


def _check(story: Story, *, code: int) -> str:
    return story.type(f"olm check-upgrade --catalogd-cas-dir {story.world.cluster.authority_dir}", code=code)


def _show_cluster_operator(story: Story) -> None:
    story.type(f"kubectl get clusteroperator olm -o jsonpath={_UPGRADEABLE}")


def _wait_blocked(story: Story, version: str, target: str) -> None:
    text = (
        "InstalledOLMOperatorsUpgradeable: Found ClusterExtensions that require upgrades prior to upgrading cluster "
        f'to version {target}: bundle "{_PACKAGE}.v{version}" for ClusterExtension "lantern".'
    )
    _wait_upgradeable(story, "False", _REASON, text)


def _wait_upgradeable(story: Story, *wanted: str) -> None:
    def found() -> tuple[str, ...]:
        told = condition(story.world.kubectl.get("clusteroperator", "olm"), "Upgradeable")
        return tuple(str(told.get(key)) for key in ("status", "reason", "message"))

    expect(f"Upgradeable of ClusterOperator olm to be {wanted}", lambda: found() == wanted, found)


def _expect_in(said: str, line: str) -> None:
    expect(f"the command to say: {line}", lambda: line in said, lambda: said, 1)


def _tag(version: str) -> str:
    return f"lights/{_PACKAGE}-bundle:gate-v{version}"


def _maximum(value: str) -> dict[str, Any]:
    return {"type": "olm.maxOpenShiftVersion", "value": value}


def _blobs() -> list[dict[str, Any]]:
    names = [f"{_PACKAGE}.v{version}" for version in _MAXIMA]
    entries = [{"name": names[0]}, {"name": names[1], "replaces": names[0]}]
    blobs: list[dict[str, Any]] = [
        {"schema": "olm.package", "name": _PACKAGE, "defaultChannel": "stable"},
        {"schema": "olm.channel", "package": _PACKAGE, "name": "stable", "entries": entries},
    ]
    for version, maximum in _MAXIMA.items():
        identity = {"type": "olm.package", "value": {"packageName": _PACKAGE, "version": version}}
        blob = {"schema": "olm.bundle", "package": _PACKAGE, "name": f"{_PACKAGE}.v{version}"}
        image = f"registry.example.com/{_tag(version)}"
        blobs.append({**blob, "image": image, "properties": [identity, _maximum(maximum)]})
    return blobs
