"""May a bundle be rolled out, as far as other extensions and the cluster are concerned? And what helps when it may not.

Owns `dependencies.md` 6 to 10: the check with its switch, the protection of dependents, deadlocks, ways out, and what a
revision records of its bundle. Pure: the reconciler and `olm explain` gather the facts; the meaning of requirements is
in `olmv1.constraints`.
"""

from __future__ import annotations

from operator_controller.dependencies.advice import manifests_for
from operator_controller.dependencies.alternatives import Alternative, Need, alternatives_to
from operator_controller.dependencies.apis import (
    cluster_scoped,
    crd_names,
    manager_of,
    removed_by,
    required_groups,
    served_by,
)
from operator_controller.dependencies.breaks import Break, broken_by, broken_by_removal
from operator_controller.dependencies.check import check
from operator_controller.dependencies.facts import (
    Candidate,
    ClusterFacts,
    InstalledExtension,
    Inventory,
    Shelf,
    Shelves,
)
from operator_controller.dependencies.gathering import candidate_of, installed_extension
from operator_controller.dependencies.leaves import unmet_leaves
from operator_controller.dependencies.mode import Mode, mode_of
from operator_controller.dependencies.properties import (
    merged,
    properties_of_blob,
    properties_of_dependencies,
    properties_of_image,
)
from operator_controller.dependencies.recording import read_properties, recorded_properties
from operator_controller.dependencies.report import Dependent, dependents_of, report_of
from operator_controller.dependencies.verdict import DependencyVerdict

__all__ = [
    "Alternative",
    "Break",
    "Candidate",
    "ClusterFacts",
    "Dependent",
    "DependencyVerdict",
    "InstalledExtension",
    "Inventory",
    "Mode",
    "Need",
    "Shelf",
    "Shelves",
    "alternatives_to",
    "broken_by",
    "broken_by_removal",
    "candidate_of",
    "check",
    "cluster_scoped",
    "crd_names",
    "dependents_of",
    "installed_extension",
    "manager_of",
    "manifests_for",
    "merged",
    "mode_of",
    "properties_of_blob",
    "properties_of_dependencies",
    "properties_of_image",
    "read_properties",
    "recorded_properties",
    "removed_by",
    "report_of",
    "required_groups",
    "served_by",
    "unmet_leaves",
]
