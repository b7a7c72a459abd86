"""What one resolution is asked, and what it may look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from operator_controller.resolver.package_index import PackageIndex

__all__ = ["CatalogContent", "CatalogProblem", "InstalledBundle", "Request", "UpgradePolicy"]

UpgradePolicy = Literal["CatalogProvided", "SelfCertified"]


@dataclass(frozen=True, slots=True)
class InstalledBundle:
    """The bundle of the last rollout that succeeded, as its revision recorded it.

    `release`: `None` when none was recorded (build metadata of the version may then be one), `""` for "no release".
    `catalog`: where it came from, preferred in a tie; `None` when unknown.
    """

    name: str
    version: str
    release: str | None = None
    image: str = ""
    catalog: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What a ClusterExtension asks for. No channels: all of them; `range_text` `None` or empty: every version.

    `hold_major` keeps the installed major version (decision 4). `kube_version` is the cluster's, `None` when unknown.
    """

    package: str
    range_text: str | None = None
    channels: tuple[str, ...] = ()
    policy: UpgradePolicy = "CatalogProvided"
    installed: InstalledBundle | None = None
    hold_major: bool = False
    kube_version: str | None = None

    @property
    def is_self_certified(self) -> bool:
        """Whether the user vouches for upgrades that no edge of a catalog offers."""
        return self.policy == "SelfCertified"

    @property
    def installed_name(self) -> str:
        """The name of the installed bundle; empty when nothing is installed."""
        return self.installed.name if self.installed else ""


@dataclass(frozen=True, slots=True)
class CatalogContent:
    """A selected catalog that can be used; `package` is `None` when it does not have the package."""

    name: str
    priority: int
    package: PackageIndex | None


@dataclass(frozen=True, slots=True)
class CatalogProblem:
    """A selected catalog that cannot be used now.

    `message` is the reason alone, for example `catalog "a" is not being served`. Rule: resolution.md 7, rows 4a to 4e.
    """

    name: str
    priority: int
    message: str
