"""Requests and their explanations in the notation of `tests.packages`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from olmv1.fbc import Bundle
from operator_controller.explanation import Explanation, Surroundings, explain
from operator_controller.resolver import CatalogContent, CatalogProblem, Request, UpgradePolicy, resolve
from tests.packages import PACKAGE, a_catalog, a_package, an_installed


def a_request(
    installed: str | None = None,
    *,
    version: str | None = None,
    channels: Sequence[str] = (),
    policy: UpgradePolicy = "CatalogProvided",
    hold_major: bool = False,
    catalog: str | None = None,
) -> Request:
    bundle = an_installed(installed, catalog=catalog) if installed else None
    return Request(PACKAGE, version, tuple(channels), policy, bundle, hold_major)


def a_place(
    channels: Mapping[str, Sequence[str]],
    bundles: Sequence[str | Bundle] | None = None,
    *,
    name: str = "cat",
    priority: int = 0,
    default: str = "",
    deprecated: Sequence[str] = (),
) -> CatalogContent:
    """A catalog with one package; without `bundles` every entry has one."""
    if bundles is None:
        entries = (entry for entries in channels.values() for entry in entries)
        bundles = list(dict.fromkeys(entry.partition(" ")[0] for entry in entries))
    package = a_package(bundles, channels, deprecated)
    return a_catalog(msgspec.structs.replace(package, default_channel=default), name, priority)


def explained(
    request: Request, *catalogs: CatalogContent | CatalogProblem, surroundings: Surroundings | None = None
) -> Explanation:
    return explain(request, catalogs, resolve(request, catalogs), surroundings or Surroundings())


C1 = a_place(
    {"alpha": ["0.1.2 (R 0.1.1)", "0.1.1"], "beta": ["0.1.3 (R 0.1.2)", "0.1.2 (R 0.1.1)", "0.1.1"]}, default="alpha"
)
C2 = a_place({"stable": ["0.9.2 (R 0.9.0; S 0.9.1)", "0.9.1 (R 0.9.0)", "0.9.0"]})
C5 = a_place({"stable": ["3.0.0 (S 2.0.0)", "2.0.0 (SR >=1.0.0 <2.0.0)"]})
C9 = a_place({"stable": ["3.5.1 (R 3.4.0)", "3.4.0 (R 3.3.9-operator.1)", "3.3.9-operator.1 (R 3.3.9)", "3.3.9"]})
C10 = a_place({"stable": ["2.0.0 (R 3.0.0)", "3.0.0"]})
