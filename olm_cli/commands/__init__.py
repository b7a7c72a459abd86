"""Every command, one file each; a new one is a file here and a line in `COMMANDS`, which is the order of the help."""

from __future__ import annotations

from olm_cli.commands.approve import APPROVE
from olm_cli.commands.catalog_graph import CATALOG_GRAPH
from olm_cli.commands.catalog_render import CATALOG_RENDER
from olm_cli.commands.catalog_search import CATALOG_SEARCH
from olm_cli.commands.catalog_show import CATALOG_SHOW
from olm_cli.commands.catalog_validate import CATALOG_VALIDATE
from olm_cli.commands.catalog_versions import CATALOG_VERSIONS
from olm_cli.commands.check_upgrade import CHECK_UPGRADE
from olm_cli.commands.crd_check import CRD_CHECK
from olm_cli.commands.debug import DEBUG
from olm_cli.commands.explain import EXPLAIN
from olm_cli.commands.plan import PLAN
from olm_cli.commands.rbac import RBAC
from olm_cli.commands.render import RENDER
from olm_cli.commands.resolve import RESOLVE
from olm_cli.commands.rollback import ROLLBACK
from olm_cli.commands.simulate import SIMULATE
from olm_cli.commands.status import STATUS

__all__ = ["COMMANDS", "GROUPS"]

COMMANDS = (
    APPROVE,
    CATALOG_GRAPH,
    CATALOG_RENDER,
    CATALOG_SEARCH,
    CATALOG_SHOW,
    CATALOG_VALIDATE,
    CATALOG_VERSIONS,
    CHECK_UPGRADE,
    CRD_CHECK,
    DEBUG,
    EXPLAIN,
    PLAN,
    RBAC,
    RENDER,
    RESOLVE,
    ROLLBACK,
    SIMULATE,
    STATUS,
)

GROUPS = {"catalog": "Look into catalogs: packages, channels, versions."}
