"""What monitoring reads about extensions and revisions: the counterparts of OLM Classic's metrics.

Gauges are made at the scrape out of the watches, so that they never disagree with the cluster and cost nothing between
two scrapes. Counters begin at zero with the process. Rule: decisions, "Metrics"; `docs/metrics.md` lists all series;
`olm_catalogs` is catalogd's.
"""

from operator_controller.metrics.metrics import Metrics

__all__ = ["Metrics"]
