"""What the cluster itself says about how operators run on it.

Called by the reconciler of extensions and the reporter of the ClusterOperator. Reads only; costs nothing on clusters
without the APIs of OpenShift.
"""

from operator_controller.environment.cluster_proxy import ClusterProxy, proxy_environment
from operator_controller.environment.cluster_version import ClusterVersionWatch
from operator_controller.environment.kube_version import KubeVersionWatch
from operator_controller.environment.operator_conditions import OperatorConditions
from operator_controller.environment.platform import ClusterPlatform

__all__ = [
    "ClusterPlatform",
    "ClusterProxy",
    "ClusterVersionWatch",
    "KubeVersionWatch",
    "OperatorConditions",
    "proxy_environment",
]
