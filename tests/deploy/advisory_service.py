"""Stands for the services that pip-audit (as OSV) and npm ask for advisories; it answers as a test wants."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NPM_PATH = "/-/npm/v1/security/advisories/bulk"
OSV_PATH = "/osv"


@dataclass
class Service:
    """`vulnerable` names packages that have an advisory; without `answers` every call is refused."""

    url: str
    answers: bool = True
    vulnerable: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def env(self) -> dict[str, str]:
        """What leads both tools here."""
        osv = {"PIP_AUDIT_VULNERABILITY_SERVICE": "osv", "PIP_AUDIT_OSV_URL": f"{self.url}{OSV_PATH}"}
        return {**osv, "npm_config_registry": self.url, "no_proxy": "127.0.0.1"}

    def reply(self, path: str, given: dict[str, Any]) -> Any:
        """The body for one call; None: refused."""
        self.asked.append(path)
        if not self.answers or path not in (NPM_PATH, OSV_PATH):
            return None
        if path == OSV_PATH:
            name = given["package"]["name"]
            found = {
                "id": f"PYSEC-2026-{name}",
                "aliases": [f"GHSA-{name}"],
                "summary": "reads too much",
                "affected": [],
            }
            return {"vulns": [found]} if name in self.vulnerable else {}
        return {name: [_of_node(name)] for name in self.vulnerable & given.keys()}


def _of_node(name: str) -> dict[str, Any]:
    url = f"https://github.com/advisories/GHSA-{name}"
    return {"id": 1, "url": url, "title": "reads too much", "severity": "high", "vulnerable_versions": "*"}


@contextmanager
def serving() -> Iterator[Service]:
    """A service that knows of no advisory."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(404, {})

        def do_POST(self) -> None:
            given = self.rfile.read(int(self.headers["Content-Length"]))
            found = service.reply(self.path, json.loads(_plain(given)))
            self._send(*((405, {}) if found is None else (200, found)))

        def _send(self, status: int, body: Any) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = Service(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def _plain(body: bytes) -> bytes:
    """npm compresses what it sends."""
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
