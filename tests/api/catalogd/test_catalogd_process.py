"""The process: probes, metrics, shutdown, garbage, plain HTTP."""

from __future__ import annotations

import signal
import socket
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.waiting import wait_for
from tests.api.fetching import fetch, metrics_of
from tests.contents import LEDGER

if TYPE_CHECKING:
    from tests.api.catalogd.conftest import Catalogs

FILES = {"ledger/catalog.yaml": LEDGER}


def test_probes_name_their_checks(component: Component) -> None:
    report = fetch(f"{component.probe_url}/readyz?verbose")
    assert "[+]catalog-server ok" in report
    assert "[+]content ok" in report
    assert fetch(f"{component.probe_url}/healthz") == "ok"


def test_metrics_tell_of_catalogs(catalogs: Catalogs, olm: Cluster) -> None:
    catalogs.push("v1", FILES)
    catalogs.apply()
    catalogs.wait_serving()
    catalogs.read()
    text = metrics_of(olm, catalogs.component)
    name = catalogs.name
    assert 'olm_catalogs{condition="Serving",reason="Available",status="True"} 1.0' in text
    assert f'olm_catalog_packages{{name="{name}"}} 1.0' in text
    assert f'olm_catalog_bundles{{name="{name}"}} 1.0' in text
    labels = 'code="200",method="GET",path="/catalogs/{catalog}/api/v1/all"'
    assert f"catalogd_http_request_duration_seconds_count{{{labels}}} 1.0" in text
    assert 'controller_runtime_reconcile_total{controller="catalogd-clustercatalog-controller"' in text


def test_process_ends_in_time_when_a_client_does_not_read(catalogs: Catalogs) -> None:
    filler = b"\n".join(b'{"schema":"custom","name":"n%d","text":"%s"}' % (n, b"x" * 1_000_000) for n in range(30))
    catalogs.push("v1", {**FILES, "filler.json": filler})
    catalogs.apply()
    catalogs.wait_serving()
    host, _, port = (catalogs.component.flags["catalogs-server-addr"] or "").partition(":")
    context = ssl.create_default_context(cafile=str(catalogs.cluster.registry.authority_file))
    with (
        socket.create_connection((host, int(port)), 10) as raw,
        context.wrap_socket(raw, server_hostname="localhost") as client,
    ):
        client.sendall(f"GET /catalogs/{catalogs.name}/api/v1/all HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert client.recv(16).startswith(b"HTTP/1.1 200")
        began = time.monotonic()
        assert catalogs.component.stop(timeout_s=12) == 0
        assert time.monotonic() - began < 10


def test_process_ends_cleanly_during_a_pull(catalogs: Catalogs) -> None:
    catalogs.push("v1", FILES)
    with catalogs.cluster.registry.away():
        catalogs.apply()
        catalogs.wait("Progressing", "Retrying")
        catalogs.component.kill(signal.SIGTERM)
        wait_for(lambda: not catalogs.component.is_running, "catalogd to end", timeout_s=10)
    assert "Traceback" not in catalogs.component.log_text()


def test_garbage_is_collected(catalogs: Catalogs, replica: Callable[..., Component], tmp_path: Path) -> None:
    catalogs.component.stop()
    (tmp_path / "catalogs" / "gone" / ("0f" * 32)).mkdir(parents=True)
    replica({"cache-dir": str(tmp_path), "gc-interval": "1s"})
    wait_for(lambda: not (tmp_path / "catalogs" / "gone").exists(), "the folder to go", timeout_s=10)


def test_plain_http_serves_without_a_certificate(catalogs: Catalogs, replica: Callable[..., Component]) -> None:
    catalogs.component.stop()
    plain = replica({"tls-cert": None, "tls-key": None, "metrics-bind-address": "0"})
    catalogs.push("v1", FILES)
    catalogs.apply()
    catalogs.wait_serving()
    base = catalogs.status()["urls"]["base"]
    assert base == f"http://{plain.flags['external-address']}/catalogs/{catalogs.name}"
    assert fetch(f"{base}/api/v1/metas?schema=olm.package").startswith('{"defaultChannel":"stable"')
