"""Users who change their mind while the controller works: what counts is what they want in the end."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map

_KEPT_REVISIONS = 6


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator of three versions, of which 1.1.0 cannot follow 1.0.0; its extension goes after the test."""
    made = Operator(world)
    name = made.name
    kept, dropped = config_map(f"{name}-kept"), config_map(f"{name}-dropped")
    bundles = {
        "1.0.0": bundle_of(name, "1.0.0", kept, dropped),
        "1.1.0": _with_other_selector(bundle_of(name, "1.1.0", kept)),
        "1.2.0": bundle_of(name, "1.2.0", kept),
    }
    made.prepare().publish(bundles)
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def _with_other_selector(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data.replace(b'{"app": "', b'{"app": "other-') for name, data in files.items()}


def free(operator: Operator, version: str) -> None:
    """Ask for a version without the constraints of the catalog."""
    if operator.world.extension(operator.name) is None:
        operator.install(version=version, upgradeConstraintPolicy="SelfCertified")
    else:
        operator.world.ask_for(operator.name, version=version, upgradeConstraintPolicy="SelfCertified")


def active(operator: Operator) -> list[str]:
    return [name for name, state in operator.lifecycle().items() if state == "Active"]


def test_only_the_last_of_many_wishes_counts(operator: Operator) -> None:
    for version in itertools.islice(itertools.cycle(("1.0.0", "1.2.0")), 12):
        free(operator, version)
    extension = operator.wait_installed("1.2.0")
    wait_for(lambda: len(active(operator)) == 1, "one active revision")
    wait_for(lambda: len(operator.sets()) <= _KEPT_REVISIONS, "the oldest revisions to be forgotten")
    newest = operator.sets()[-1]["metadata"]
    assert active(operator) == [newest["name"]]
    assert extension["status"]["activeRevisions"] == [{"name": newest["name"]}]


def test_version_that_cannot_be_applied_is_told_and_left_behind(operator: Operator) -> None:
    free(operator, "1.0.0")
    operator.wait_installed("1.0.0")
    free(operator, "1.1.0")

    def is_told() -> bool:
        found = operator.wait("Progressing", status="True", reason="Retrying")
        return "field is immutable" in found["message"]

    wait_for(is_told, "the refusal to be told")
    operator.wait("Installed", status="True")
    free(operator, "1.2.0")
    operator.wait_installed("1.2.0")
    wait_for(lambda: len(active(operator)) == 1, "one active revision")


def test_wish_can_be_taken_back_while_it_is_stuck(operator: Operator) -> None:
    free(operator, "1.0.0")
    operator.wait_installed("1.0.0")
    free(operator, "1.1.0")
    operator.wait("Progressing", status="True", reason="Retrying")
    free(operator, "1.0.0")
    operator.wait_installed("1.0.0")
    wait_for(lambda: len(active(operator)) == 1, "one active revision")
    assert _config(operator, "dropped") is not None


def test_replaced_extension_is_installed_anew(operator: Operator) -> None:
    free(operator, "1.0.0")
    before = operator.wait_installed("1.0.0")["metadata"]["uid"]
    manifest = json.dumps(operator.manifest(version="1.2.0")).encode()
    operator.kubectl.run("replace", "--force", "-f", "-", stdin=manifest)
    extension = operator.wait_installed("1.2.0")
    assert extension["metadata"]["uid"] != before
    (revision,) = operator.sets()
    assert [owner["uid"] for owner in revision["metadata"]["ownerReferences"]] == [extension["metadata"]["uid"]]


def test_extension_goes_on_with_another_account_when_its_first_is_gone(operator: Operator) -> None:
    free(operator, "1.0.0")
    operator.wait_installed("1.0.0")
    change_account(operator, "powerless")

    def is_told() -> bool:
        found = operator.wait("Progressing", status="True", reason="Retrying")
        return "pre-authorization failed: service account requires the following permissions" in found["message"]

    wait_for(is_told, "the missing rights to be told")
    operator.wait("Installed", status="True")
    operator.kubectl.delete("serviceaccount", "installer", operator.namespace)
    change_account(operator, "second", "--clusterrole=cluster-admin")
    free(operator, "1.2.0")
    operator.wait_installed("1.2.0")
    wait_for(lambda: _config(operator, "dropped") is None, "what only 1.0.0 had to be gone")
    wait_for(lambda: len(active(operator)) == 1, "one active revision")
    assert _config(operator, "kept") is not None


def change_account(operator: Operator, name: str, *rights: str) -> None:
    """Have the extension act as another account; the name can only be changed by way of none."""
    operator.kubectl.run("create", "serviceaccount", name, "-n", operator.namespace)
    if rights:
        subject = f"--serviceaccount={operator.namespace}:{name}"
        operator.kubectl.run("create", "rolebinding", name, "-n", operator.namespace, *rights, subject)
    operator.world.patch("clusterextension", operator.name, {"spec": {"serviceAccount": None}})
    operator.wait("Progressing", status="False", reason="Blocked")
    operator.world.patch("clusterextension", operator.name, {"spec": {"serviceAccount": {"name": name}}})


def _config(operator: Operator, name: str) -> dict[str, Any] | None:
    return operator.kubectl.get("configmap", f"{operator.name}-{name}", operator.namespace)
