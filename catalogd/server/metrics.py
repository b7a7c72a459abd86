"""The series of the content server. Rule: catalogd-http.md 11 and 14.12."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

__all__ = ["ServerMetrics"]

_REFERENCE_BUCKETS_S = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.6, 2.0, 2.4, 2.8, 3.2, 3.6, 4.0, 10.0)
_FINE_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05)


class ServerMetrics:
    """Duration, size and number of answers; label children are kept, as looking them up costs more than counting."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ("path", "method", "code")
        self._duration = Histogram(
            "catalogd_http_request_duration_seconds",
            "Histogram of request duration in seconds",
            labels,
            buckets=(*_FINE_BUCKETS_S, *_REFERENCE_BUCKETS_S),
            registry=registry,
        )
        self._sent = Counter("catalogd_http_response_size_bytes", "Bytes of answers sent", labels, registry=registry)
        self.in_flight = Gauge("catalogd_http_requests_in_flight", "Requests being answered", registry=registry)
        self._children: dict[tuple[str, str, int], tuple[Histogram, Counter]] = {}

    def observe(self, path: str, method: str, code: int, duration_s: float, size_bytes: int) -> None:
        """Count one answer; `path` is the template of the route, so that the number of series stays bounded."""
        key = (path, method if method in _METHODS else "OTHER", code)
        children = self._children.get(key)
        if children is None:
            labels = (key[0], key[1], str(code))
            children = self._children[key] = (self._duration.labels(*labels), self._sent.labels(*labels))
        children[0].observe(duration_s)
        children[1].inc(size_bytes)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
