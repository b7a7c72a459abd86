"""Every fixed name that OLM v1 writes on a cluster: labels, annotations, finalizers, field managers, types.

Used by all rooms; a name that users, other tools or an older version of us can see is spelled here and nowhere else.
Rule: clusterextension.md 2, clustercatalog.md 2, revisions.md 1.3, 3.1 and 5.1.
"""

from __future__ import annotations

from typing import Final

GROUP: Final = "olm.operatorframework.io"
VERSION: Final = "v1"
API_VERSION: Final = f"{GROUP}/{VERSION}"

KIND_CLUSTER_EXTENSION: Final = "ClusterExtension"
KIND_CLUSTER_CATALOG: Final = "ClusterCatalog"
KIND_CLUSTER_OBJECT_SET: Final = "ClusterObjectSet"

# Labels of managed objects and of revisions: a watch selects with them, so they are labels and not annotations.
LABEL_OWNER_KIND: Final = f"{GROUP}/owner-kind"
LABEL_OWNER_NAME: Final = f"{GROUP}/owner-name"
LABEL_REVISION_NAME: Final = f"{GROUP}/revision-name"
LABEL_METADATA_NAME: Final = f"{GROUP}/metadata.name"
LABEL_MIGRATED_FROM_HELM: Final = f"{GROUP}/migrated-from-helm"
LABEL_MANAGED_BY: Final = "app.kubernetes.io/managed-by"
MANAGED_BY: Final = GROUP

ANNOTATION_BUNDLE_NAME: Final = f"{GROUP}/bundle-name"
ANNOTATION_BUNDLE_VERSION: Final = f"{GROUP}/bundle-version"
# Present only when the release is known: absent and empty differ.
ANNOTATION_BUNDLE_RELEASE: Final = f"{GROUP}/bundle-release"
ANNOTATION_BUNDLE_REFERENCE: Final = f"{GROUP}/bundle-reference"
ANNOTATION_PACKAGE_NAME: Final = f"{GROUP}/package-name"
ANNOTATION_SERVICE_ACCOUNT_NAME: Final = f"{GROUP}/service-account-name"
ANNOTATION_SERVICE_ACCOUNT_NAMESPACE: Final = f"{GROUP}/service-account-namespace"
ANNOTATION_REVISION: Final = f"{GROUP}/revision"
ANNOTATION_PROPERTIES: Final = "olm.properties"
ANNOTATION_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
# What the reference does not have: `extras.olm.operatorframework.io/<extra>`. Rule: architecture.md 7.
EXTRAS_PREFIX: Final = f"extras.{GROUP}/"
# The built-in certificate provider: on a Service, the Secret with its serving certificate; on what calls that Service,
# `<namespace>/<secret>` of the certificate whose authority it must trust.
ANNOTATION_SERVING_CERT: Final = f"{EXTRAS_PREFIX}serving-cert"
ANNOTATION_INJECT_CA: Final = f"{EXTRAS_PREFIX}inject-ca"
# On a revision: what its bundle offers and requires, so that checks work when the catalog has moved on (decision 11).
ANNOTATION_BUNDLE_PROPERTIES: Final = f"{EXTRAS_PREFIX}bundle-properties"
# On a ClusterExtension: whether requirements hold a rollout (decision 10).
ANNOTATION_DEPENDENCIES: Final = f"{EXTRAS_PREFIX}dependencies"
# On a ClusterExtension: what becomes of the hooks of a Helm chart.
ANNOTATION_CHART_HOOKS: Final = f"{EXTRAS_PREFIX}chart-hooks"

FINALIZER_UNPACK_CACHE: Final = f"{GROUP}/cleanup-unpack-cache"
FINALIZER_CONTENT_MANAGER: Final = f"{GROUP}/cleanup-contentmanager-cache"
FINALIZER_TEARDOWN: Final = f"{GROUP}/teardown"
FINALIZER_SERVER_CACHE: Final = f"{GROUP}/delete-server-cache"

FIELD_MANAGER_OBJECTS: Final = GROUP
FIELD_MANAGER_REVISIONS: Final = f"{GROUP}/clusterextension-controller"

SECRET_TYPE_OBJECT_DATA: Final = f"{GROUP}/object-data"
DEFAULT_SYSTEM_NAMESPACE: Final = "olmv1-system"
# Label of a catalog image: the folder of the catalog inside it.
IMAGE_LABEL_CONFIGS: Final = "operators.operatorframework.io.index.configs.v1"

# Names of the work queues, in logs and as metric label `controller`.
CONTROLLER_CLUSTER_EXTENSION: Final = "controller-operator-cluster-extension-controller"
CONTROLLER_CLUSTER_CATALOG: Final = "controller-operator-clustercatalog-controller"
CONTROLLER_CLUSTER_OBJECT_SET: Final = "clusterobjectset"
CONTROLLER_PULL_SECRET: Final = "pull-secret-controller"  # noqa: S105 - the name of a queue
CONTROLLER_SERVICE_ACCOUNT: Final = "service-account-controller"
CONTROLLER_CATALOGD: Final = "catalogd-clustercatalog-controller"

LEASE_OPERATOR_CONTROLLER: Final = "9c4404e7.operatorframework.io"
LEASE_CATALOGD: Final = "catalogd-operator-lock"
