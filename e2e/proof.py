"""What must be true of a cluster at rest, whatever happened to the components before: nothing lost, nothing left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from devcluster.cluster import SYSTEM_NAMESPACE
from devcluster.kubectl import Kubectl
from e2e.fleet import Member
from e2e.logs import problems
from e2e.world import OWNED_KINDS, OWNER, UnmetError, World, expect
from e2e.writers import require_rest

__all__ = ["Proof", "keepsakes"]

_ARCHIVED_KEPT = 5
_REST_S = 10.0


def keepsakes(kubectl: Kubectl, member: Member) -> list[str]:
    """The identities of what every version of a member has: CRD, account, Deployment, and a custom resource."""
    found = kubectl.items("customresourcedefinitions,serviceaccounts,deployments", selector=f"{OWNER}={member.name}")
    found += kubectl.items(f"{member.name}s.lights.example.com")
    return sorted(f"{item['kind']} {item['metadata']['name']} {item['metadata']['uid']}" for item in found)


class Proof:
    """Looks at everything that the extensions of a fleet have on the cluster, on disk and in the logs."""

    def __init__(self, world: World, versions: Mapping[Member, str]) -> None:
        self._world = world
        self._kubectl = world.kubectl
        self._versions = {member.name: (member, version) for member, version in versions.items() if version}

    def check(self) -> Iterator[str]:
        """Each thing that was proved, as a sentence.

        Raises: UnmetError at the first that is not so.
        """
        wanted = {name: member.kinds(version) for name, (member, version) in self._versions.items()}
        expect(
            f"exactly these objects: {_shown(wanted)}",
            lambda: self._objects() == wanted,
            lambda: _shown(self._objects()),
        )
        count = sum(kinds.total() for kinds in wanted.values())
        yield f"{count} objects of {len(wanted)} extensions are there, and no others"
        expect("one active revision each, and few archived", lambda: not self._bad_revisions(), self._bad_revisions)
        yield f"each extension has one active revision and at most {_ARCHIVED_KEPT} archived ones"
        expect("every Secret to be of a revision", lambda: not self._orphan_secrets(), self._orphan_secrets)
        yield "every Secret belongs to a revision that refers to it"
        expect("no unfinished files", lambda: not self._unfinished_files(), self._unfinished_files)
        yield "the folders of both components hold no unfinished files"
        require_rest(self._world.cluster.audit, _REST_S)
        yield f"at rest nothing was written for {_REST_S:g} s"
        bad = [line for component in self._world.both for line in problems(component.log_text())]
        if bad:
            raise UnmetError("no error in the logs", "\n".join(bad[:10]))
        yield "no error in any log"

    def _objects(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = {}
        for item in self._kubectl.items(OWNED_KINDS, selector=OWNER):
            found.setdefault(item["metadata"]["labels"][OWNER], Counter())[item["kind"]] += 1
        return found

    def _bad_revisions(self) -> list[str]:
        states: dict[str, Counter[str]] = {name: Counter() for name in self._versions}
        for item in self._kubectl.items("clusterobjectsets"):
            state = "Deleting" if "deletionTimestamp" in item["metadata"] else item["spec"]["lifecycleState"]
            states.setdefault(item["metadata"]["labels"][OWNER], Counter())[state] += 1
        return [
            f"{name}: {dict(found)}"
            for name, found in states.items()
            if found["Active"] != 1 or found["Archived"] > _ARCHIVED_KEPT or found.total() != 1 + found["Archived"]
        ]

    def _orphan_secrets(self) -> list[str]:
        sets = {item["metadata"]["uid"]: _secrets_of(item) for item in self._kubectl.items("clusterobjectsets")}
        orphans = []
        for item in self._kubectl.items("secrets", SYSTEM_NAMESPACE, selector=OWNER):
            owners = [reference["uid"] for reference in item["metadata"].get("ownerReferences", ())]
            if not any(item["metadata"]["name"] in sets.get(uid, ()) for uid in owners):
                orphans.append(item["metadata"]["name"])
        there = {item["metadata"]["name"] for item in self._kubectl.items("secrets", SYSTEM_NAMESPACE, selector=OWNER)}
        return orphans + [f"{name} is missing" for names in sets.values() for name in sorted(names - there)]

    def _unfinished_files(self) -> list[str]:
        folders = [
            Path(str(self._world.both[0].flags["cache-dir"])),
            Path(str(self._world.both[1].flags["cache-path"])),
        ]
        found = [path for folder in folders for path in folder.rglob("*")]
        return [
            str(path) for path in found if path.name.startswith((".", "tmp")) or path.suffix in (".new", ".tmp")
        ] + [str(path) for path in self._world.scratch_dir.iterdir()]


def _secrets_of(object_set: Mapping[str, Any]) -> set[str]:
    phases = object_set["spec"].get("phases") or ()
    return {entry["ref"]["name"] for phase in phases for entry in phase.get("objects") or () if "ref" in entry}


def _shown(objects: Mapping[str, Counter[str]]) -> str:
    return "; ".join(f"{name} {dict(sorted(kinds.items()))}" for name, kinds in sorted(objects.items()))
