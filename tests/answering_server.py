"""A plain HTTP server on loopback with the answers that a test laid down, in place of an API server or a catalogd."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

__all__ = ["AnsweringServer", "Reply", "a_status", "answering_server", "write_kubeconfig"]


@dataclass(frozen=True)
class Reply:
    """One answer; a mapping or list as body is sent as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class AnsweringServer:
    """`replies` by path with query; of a list one after the other, the last stays. Others: `404 page not found`."""

    url: str = ""
    replies: dict[str, Reply | list[Reply]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def reply_to(self, path: str) -> Reply:
        self.asked.append(path)
        # How a client pages is its own business: nothing here is longer than a page.
        path = re.sub(r"[?&]limit=\d+$", "", path)
        found = self.replies.get(path, Reply(b"404 page not found\n", 404))
        if isinstance(found, list):
            return found.pop(0) if len(found) > 1 else found[0]
        return found


@contextmanager
def answering_server() -> Iterator[AnsweringServer]:
    server = AnsweringServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            reply = server.reply_to(self.path)
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_PATCH(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        server.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def a_status(code: int, reason: str, message: str) -> Reply:
    """An API server's refusal."""
    return Reply({"kind": "Status", "apiVersion": "v1", "code": code, "reason": reason, "message": message}, code)


def write_kubeconfig(path: Path, url: str, *, contexts: tuple[str, ...] = ("main",)) -> str:
    """A kubeconfig whose contexts all lead to `url`, the first being the current one; and its path as text."""
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "users": [{"name": "u", "user": {}}],
        "contexts": [{"name": name, "context": {"cluster": "c", "user": "u"}} for name in contexts],
        "current-context": contexts[0],
    }
    path.write_text(json.dumps(document))
    return str(path)
