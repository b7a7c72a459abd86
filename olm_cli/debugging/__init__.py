"""One archive with everything that a report about an extension needs, and nothing secret.

`reading` asks the cluster, `redaction` takes secrets out, `collection` keeps it bounded, `writing` writes it.
"""

from __future__ import annotations

from olm_cli.debugging.collection import Collection
from olm_cli.debugging.reading import collect, logs_in
from olm_cli.debugging.writing import default_place, write_archive

__all__ = ["Collection", "collect", "default_place", "logs_in", "write_archive"]
