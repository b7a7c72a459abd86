"""What one reconcile of a ClusterExtension has learned."""

from __future__ import annotations

from dataclasses import dataclass

from olmv1.conditions import Condition
from olmv1.errors import OlmError, RetryableError
from operator_controller.resolver import DeprecationMessages, Note, Upgrades
from operator_controller.revisions.view import RevisionView, active, installed
from operator_controller.upgradeability import Verdict

__all__ = ["ExtensionOutcome", "PreconditionError"]


class PreconditionError(RetryableError):
    """A precondition of the extension does not hold, such as its account. Rule: clusterextension.md 4.2."""

    def __init__(self, findings: tuple[str, ...]) -> None:
        text = "\n".join(findings)
        super().__init__(f"operation cannot proceed due to the following validation error(s): {text}")


@dataclass(frozen=True, slots=True)
class ExtensionOutcome:
    """The facts of one pass; `None` means that the pass did not come to know it."""

    revisions: tuple[RevisionView, ...] | None = None
    deprecations: DeprecationMessages | None = None
    notes: tuple[Note, ...] = ()
    unreadable: tuple[str, ...] = ()
    """A sentence for every catalog that is served and yet could not be read; the next try is a matter of time."""
    explanation: str = ""
    """Why the resolver refused, or what it wants to do; empty when there is nothing to say."""
    failure: OlmError | None = None
    image_changed_to: str | None = None
    """The installed bundle has another image in its catalog now; nothing is reinstalled (decision 7)."""
    dependencies: Condition | None = None
    """`DependenciesSatisfied`; `None` also when nothing is required."""
    are_dependencies_known: bool = False
    """Whether the pass came to check requirements; otherwise what was said about them stays."""
    warnings: tuple[str, ...] = ()
    """Sentences about the wanted bundle that hold nothing up."""
    upgradeable: Verdict | None = None
    """What the extension says about upgrades of the cluster; `None` on clusters that do not ask."""

    pending: Condition | None = None
    """`UpgradePending`: the upgrade that waits for a person; nothing else is wrong with it."""
    is_approval_known: bool = False
    """Whether the pass came to know if an upgrade waits; otherwise what was said about it stays."""
    is_paused: bool = False
    """The person wants nothing to be changed for now: the pass looked at the revisions only."""
    handled_request: str | None = None
    """The request that this pass has come to the end of; `None` keeps the last one."""
    upgrades: Upgrades | None = None
    """Where the installed bundle could go in one step; `None` keeps what was said."""

    @property
    def installed(self) -> RevisionView | None:
        """The revision that is installed, as far as revisions are known."""
        return installed(self.revisions or ())

    @property
    def rolling(self) -> tuple[RevisionView, ...]:
        """Active revisions above the installed one, lowest number first."""
        base = self.installed
        return tuple(item for item in active(self.revisions or ()) if base is None or item.number > base.number)
