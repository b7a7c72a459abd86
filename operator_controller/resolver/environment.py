"""What a bundle needs of its cluster, as far as its catalog tells: the version of Kubernetes, install modes, webhooks.

Read from `olm.csv.metadata`, `olm.kubeversion` and the CSV inside an `olm.bundle.object`. Values that do not fit their
type tell nothing: what the catalog does not know is checked once the bundle is unpacked. Rule: decision 5.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from olmv1.fbc import Bundle

__all__ = ["Environment", "Environments", "KubernetesVersion", "kubernetes_version"]

KubernetesVersion = tuple[int, int, int]

_KUBERNETES = re.compile(r"v?([0-9]{1,9})\.([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:[-+].*)?")


def kubernetes_version(text: str) -> KubernetesVersion | None:
    """Major, minor and patch of `1.28`, `v1.28.3` or `1.28.3-gke.1`; `None` when the text is none of these.

    The part behind the patch is a vendor's, not a pre-release, and does not count.
    """
    found = _KUBERNETES.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


@dataclass(frozen=True, slots=True)
class Environment:
    """What one bundle needs.

    `kubernetes`: the lowest version that will do, lower than any when the catalog names none; `least` is its text.
    `install_modes`: those that are supported, sorted; `None` when the catalog does not tell. `has_webhooks`: whether
    the catalog shows some.
    """

    kubernetes: KubernetesVersion = (0, 0, 0)
    least: str = ""
    install_modes: tuple[str, ...] | None = None
    has_webhooks: bool = False


class Environments:
    """The environments of the bundles of one index, each read when it is first asked for, and kept.

    A catalog holds megabytes of CSVs; a resolution looks at few of them, and without a known cluster at none.
    """

    __slots__ = ("_alive", "_found")

    def __init__(self) -> None:
        # By identity, with the bundles kept alive: hashing a bundle costs as much as reading it.
        self._found: dict[int, Environment] = {}
        self._alive: list[Bundle] = []

    def of(self, bundle: Bundle) -> Environment:
        """What that bundle needs."""
        found = self._found.get(id(bundle))
        if found is None:
            self._alive.append(bundle)
            found = self._found[id(bundle)] = _read(bundle)
        return found


class _Csv(msgspec.Struct, frozen=True, rename="camel"):
    """The part of a CSV's spec, or of `olm.csv.metadata`, that matters here; of whatever type it was written."""

    min_kube_version: object = None
    install_modes: object = None
    webhookdefinitions: object = None


class _Object(msgspec.Struct, frozen=True):
    kind: object = None
    spec: msgspec.Raw = msgspec.Raw(b"{}")


class _Data(msgspec.Struct, frozen=True):
    data: str = ""


class _Kubernetes(msgspec.Struct, frozen=True):
    version: object = None


_CSV = msgspec.json.Decoder(_Csv)
_OBJECT = msgspec.json.Decoder(_Object)
_DATA = msgspec.json.Decoder(_Data)
_KUBEVERSION = msgspec.json.Decoder(_Kubernetes)
_CSV_KIND = "ClusterServiceVersion"


def _read(bundle: Bundle) -> Environment:
    csvs = tuple(_csvs(bundle))
    texts = [*(csv.min_kube_version for csv in csvs), *_kubeversions(bundle)]
    known = [(found, text) for text in texts if isinstance(text, str) and (found := kubernetes_version(text))]
    modes = [read for csv in csvs if (read := _modes(csv.install_modes)) is not None]
    kubernetes, least = max(known, default=((0, 0, 0), ""))
    return Environment(
        kubernetes=kubernetes,
        least=least,
        install_modes=modes[0] if modes else None,
        has_webhooks=any(csv.webhookdefinitions for csv in csvs),
    )


def _csvs(bundle: Bundle) -> Iterator[_Csv]:
    for found in bundle.properties:
        try:
            if found.type == "olm.csv.metadata":
                yield _CSV.decode(found.value)
            elif found.type == "olm.bundle.object":
                content = base64.b64decode(_DATA.decode(found.value).data)
                # Most objects are definitions of a megabyte: only what may be a CSV is parsed.
                if _CSV_KIND.encode() in content and (read := _OBJECT.decode(content)).kind == _CSV_KIND:
                    yield _CSV.decode(read.spec)
        except (ValueError, msgspec.DecodeError, RecursionError):
            continue


def _kubeversions(bundle: Bundle) -> Iterator[object]:
    for value in bundle.property_values("olm.kubeversion"):
        try:
            yield _KUBEVERSION.decode(value).version
        except (msgspec.DecodeError, RecursionError):
            continue


def _modes(written: object) -> tuple[str, ...] | None:
    if not isinstance(written, list):
        return None
    modes = (mode for mode in written if isinstance(mode, dict) and mode.get("supported") is True)
    return tuple(sorted({type_ for mode in modes if isinstance(type_ := mode.get("type"), str)}))
