"""Every command, one file each; a new one is a file here and a line in `COMMANDS`, which is the order of the help."""

from __future__ import annotations

from olm_cli.commands.catalog_show import CATALOG_SHOW
from olm_cli.commands.catalog_versions import CATALOG_VERSIONS
from olm_cli.commands.resolve import RESOLVE
from olm_cli.commands.status import STATUS

__all__ = ["COMMANDS", "GROUPS"]

COMMANDS = (CATALOG_SHOW, CATALOG_VERSIONS, RESOLVE, STATUS)

GROUPS = {"catalog": "Look into catalogs: packages, channels, versions."}
