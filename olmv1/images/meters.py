"""What pulling tells Prometheus.

Shell. One object per puller, on the registry of its owner, so that tests stay apart.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

__all__ = ["PullMeters"]


class PullMeters:
    """The series of this room: requests by registry and answer, images by result, bytes, and time."""

    def __init__(self, registry: CollectorRegistry | None) -> None:
        owner = registry if registry is not None else CollectorRegistry()
        self._requests = Counter(
            "olm_image_requests",
            "Requests to registries by HTTP status (0: no answer)",
            ["registry", "code"],
            registry=owner,
        )
        self._pulls = Counter("olm_image_pulls", "Images pulled by kind and result", ["kind", "result"], registry=owner)
        self._bytes = Counter("olm_image_downloaded_bytes", "Bytes of layers received", registry=owner)
        self._seconds = Histogram(
            "olm_image_pull_seconds",
            "Time to pull and unpack one image",
            ["kind"],
            buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
            registry=owner,
        )

    def request(self, registry: str, status: int) -> None:
        """Count one answer (or none: 0) of `registry`."""
        self._requests.labels(registry, str(status)).inc()

    def received(self, size: int) -> None:
        """Count `size` downloaded bytes."""
        self._bytes.inc(size)

    def pulled(self, kind: str, seconds: float, *, is_success: bool) -> None:
        """Count one image of `kind` (`catalog`, `files`) and the time that it took."""
        self._pulls.labels(kind, "success" if is_success else "failure").inc()
        self._seconds.labels(kind).observe(seconds)
