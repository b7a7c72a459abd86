"""The published bundles of the test data as extensions with the accounts that `olm rbac` proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from devcluster.cluster import Cluster
from devcluster.images import files_of
from olmv1.manifests import Manifest, key_of
from operator_controller.authorization import (
    Account,
    Grant,
    KindMap,
    Needs,
    RbacSnapshot,
    Right,
    RightSet,
    needs_of,
    rights_in,
)
from operator_controller.authorization.check import placed
from operator_controller.bundle import Bundle, parse_bundle
from operator_controller.renderer import Certificates, RenderOptions, render
from tests.api.operators import PREFIX
from tests.olm_command import olm as olm_command

__all__ = ["Published", "WithoutRule", "without_each_rule"]

_MONITORING = "monitoring.coreos.com"  # objects of kinds that are not served here are left out


@dataclass(frozen=True)
class Published:
    """A bundle of the test data, installed as `olm rbac` proposes."""

    folder: Path

    @cached_property
    def files(self) -> dict[str, bytes]:
        return files_of(self.folder)

    @cached_property
    def bundle(self) -> Bundle:
        return parse_bundle(self.files)

    @property
    def package(self) -> str:
        return self.bundle.package

    @property
    def account(self) -> Account:
        return Account(f"{self.package}-system", f"{self.package}-installer")

    @property
    def config(self) -> dict[str, str] | None:
        """For all namespaces where it can be, else for its own, else for another."""
        modes = self.bundle.install_modes
        if "AllNamespaces" in modes:
            return None
        return {"watchNamespace": self.account.namespace if "OwnNamespace" in modes else "default"}

    @cached_property
    def objects(self) -> tuple[Manifest, ...]:
        options = RenderOptions(self.account.namespace, self.config, certificates=Certificates.SELF_SIGNED)
        return render(self.bundle, options)

    @cached_property
    def applied(self) -> tuple[Manifest, ...]:
        """The objects of kinds that are served here."""
        return tuple(each for each in self.objects if key_of(each).group != _MONITORING)

    @cached_property
    def needs(self) -> Needs:
        return needs_of(self.applied, KindMap(), RbacSnapshot())

    @property
    def uses(self) -> set[Right]:
        return {right for use in self.needs.uses for right in use.rights}

    def lacking(self, without: WithoutRule) -> frozenset[Right]:
        """What the check should name: the rule, and where that was leave to give rights, those that are not held."""
        held = RbacSnapshot(without.rest).held_by(self.account)
        taken = set(rights_in([without.rule], without.namespace))
        given = [right for each in self.needs.grants if each.instead in taken for right in _given(each)]
        wanted = taken - {each.instead for each in self.needs.grants}
        return RightSet([*wanted, *(placed(right) for right in given if not held.covers(right))]).minimal()

    def rbac(self, cluster: Cluster, *arguments: str) -> Any:
        """What `olm rbac` says of it, as JSON."""
        watched = ["--watch-namespace", self.config["watchNamespace"]] if self.config else []
        options = ["--kubeconfig", str(cluster.kubeconfig), "-o", "json"]
        said = olm_command("rbac", str(self.folder), *watched, *options, *arguments)
        assert said.out, said.err
        return said.json

    @property
    def extension(self) -> dict[str, Any]:
        source = {"sourceType": "Catalog", "catalog": {"packageName": self.package}}
        account = self.account
        spec = {"namespace": account.namespace, "serviceAccount": {"name": account.name}, "source": source}
        config = {"config": {"configType": "Inline", "inline": self.config}} if self.config else {}
        metadata = {"name": self.package, "annotations": {f"extras.{PREFIX}/dependencies": "Ignore"}}
        return {
            "apiVersion": f"{PREFIX}/v1",
            "kind": "ClusterExtension",
            "metadata": metadata,
            "spec": {**spec, **config},
        }


@dataclass(frozen=True)
class WithoutRule:
    """A written role that lacks one of its rules, and everything that is written then."""

    rule: Mapping[str, Any]
    role: Manifest
    rest: Sequence[Manifest]

    @property
    def namespace(self) -> str:
        return str(self.role["metadata"].get("namespace", ""))


def without_each_rule(written: Sequence[Manifest]) -> Iterator[WithoutRule]:
    """What is written, each time without another rule."""
    for index, manifest in enumerate(written):
        for rule in manifest.get("rules", ()):
            role = {**manifest, "rules": [each for each in manifest["rules"] if each is not rule]}
            yield WithoutRule(rule, role, [*written[:index], role, *written[index + 1 :]])


def _given(grant: Grant) -> Sequence[Right]:
    """What the check demands where there is no leave; for a role that is not there, leave is all that helps."""
    return (grant.instead,) if grant.is_unknown else grant.rights
