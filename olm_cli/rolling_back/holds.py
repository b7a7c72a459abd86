"""What keeps the controller from rolling a bundle out, and what a person can do about each. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olm_cli.asking.dependencies import Needs
from olm_cli.crd_checking import Check
from olm_cli.remedies import annotating, granting
from olm_cli.rolling_back.change import Change
from olm_cli.rolling_back.subject import Subject
from olmv1.api.names import ANNOTATION_DEPENDENCIES
from olmv1.api.vocabulary import Reason
from olmv1.errors import OlmError, TerminalError
from operator_controller.authorization import MissingRule, message_of
from operator_controller.crd_safety import ANNOTATION_CRD_ACCEPT
from operator_controller.resolver import Chosen, InstalledBundle

__all__ = [
    "Hold",
    "admission_hold",
    "content_hold",
    "definition_holds",
    "dependency_hold",
    "operator_hold",
    "resolution_hold",
    "rights_hold",
]


@dataclass(frozen=True, slots=True)
class Hold:
    """One reason: `about` is a word for programs, `remedies` are sentences or command lines."""

    about: str
    message: str
    remedies: tuple[str, ...] = ()

    def to_json(self) -> Mapping[str, Any]:
        """The same as plain values."""
        return {"about": self.about, "message": self.message, "remedies": list(self.remedies)}


def resolution_hold(extension: str, change: Change, bundle: InstalledBundle) -> Hold | None:
    """The catalogs do not give the bundle, whatever is changed."""
    if change.reaches(bundle):
        return None
    if isinstance(change.answer, Chosen):
        other = change.answer.bundle.name
        text = f'the catalogs give "{other}" for version "{change.request.range_text}", not "{bundle.name}"'
        return Hold("resolution", text)
    command = shlex.join(["olm", "explain", extension, "--version", change.request.range_text or ""])
    return Hold("resolution", change.answer.message, (f"{command} tells what each catalog has",))


def operator_hold(subject: Subject, bundle: InstalledBundle) -> Hold | None:
    """The installed operator does not want to be replaced by another one now."""
    base = subject.installed
    if base is None or not subject.word or (base.bundle.name, base.bundle.version) == (bundle.name, bundle.version):
        return None
    text = f'cannot upgrade from bundle "{base.bundle.name}" to "{bundle.name}": {subject.word}'
    return Hold("operator", text, ("wait for it, or override the condition Upgradeable in its OperatorCondition",))


def dependency_hold(subject: Subject, needs: Needs | None) -> Hold | None:
    """Requirements are unmet, or the rollout would break those of others."""
    if needs is None or not needs.is_held:
        return None
    return Hold(
        "dependencies", str(needs.verdict.failure), (annotating(subject.ext.name, ANNOTATION_DEPENDENCIES, "Warn"),)
    )


def definition_holds(subject: Subject, checks: Sequence[Check]) -> Iterator[Hold]:
    """Definitions must not change so; one hold with all of them, because one annotation accepts them."""
    failures = [each.verdict.failure for each in checks if each.verdict.failure is not None]
    if not failures:
        return
    blocking = [item.finding for each in checks for item in each.verdict.findings if item.outcome.is_blocking]
    known = subject.annotations.get(ANNOTATION_CRD_ACCEPT, "").replace(",", " ").split()
    accepted = dict.fromkeys([*known, *(each.id for each in blocking if not each.cause)])
    remedy = annotating(subject.ext.name, ANNOTATION_CRD_ACCEPT, " ".join(accepted))
    text = "change the objects that are named so that they fit, or accept what happens to them:"
    yield Hold("definitions", "\n".join(failures), (text, remedy))


def content_hold(error: OlmError) -> Hold:
    """The bundle cannot be installed so, whatever is waited for."""
    if isinstance(error, TerminalError) and error.reason == Reason.INVALID_CONFIGURATION:
        return Hold("configuration", str(error), ("change spec.config.inline so that it fits both versions",))
    return Hold("bundle", str(error))


def admission_hold(message: str) -> Hold:
    """The API server does not take the change of the spec."""
    return Hold("admission", message, ("ask somebody who may, or who sets the policies of the cluster",))


def rights_hold(subject: Subject, version: str, missing: Iterable[MissingRule]) -> Hold | None:
    """The account may not install the bundle."""
    rules, spec = tuple(missing), subject.ext.spec
    if not rules:
        return None
    command = granting(
        spec.source.catalog.package_name,
        subject.ext.name,
        namespace=spec.namespace,
        account=spec.service_account.name or "",
        version=version,
        channels=(),
        is_self_certified=True,
    )
    return Hold("rights", message_of(rules), (command,))
