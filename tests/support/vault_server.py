"""A stand-in for OpenBao over real HTTP: AppRole, Kubernetes and token logins, KV version 2, database accounts, leases.

Its answers have the form of a real server's; `tests/backend/secret_stores/test_real_vault.py` runs the same calls
against one, where OPENBAO_PROGRAM names its program.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ROLE_ID, SECRET_ID, JWT = "role-of-hawser", "secret-id-of-hawser", "jwt-of-hawser"


@dataclass(slots=True)
class Vault:
    """What the server holds; `calls` are the paths that were called."""

    url: str = ""
    kv: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)
    is_down: bool = False
    lease_s: int = 60
    renews: bool = True
    make_account: Callable[[int], tuple[str, str]] = lambda number: (f"v-hawser-{number}", f"made-{number}")
    made: int = 0

    def answer(self, method: str, path: str, body: dict[str, str], token: str) -> tuple[int, dict[str, Any]]:
        """Status and object of one call."""
        self.calls.append(path)
        if self.is_down:
            return 503, {"errors": ["Vault is sealed"]}
        if path.startswith("/v1/auth/"):
            return self._login(body)
        if token not in self.tokens:
            return 403, {"errors": ["permission denied"]}
        if path.startswith("/v1/secret/data/"):
            found = self.kv.get(path.removeprefix("/v1/secret/data/"))
            return (404, {"errors": []}) if found is None else (200, {"data": {"data": found, "metadata": {}}})
        if path.startswith("/v1/database/creds/"):
            return self._account(path)
        if (method, path) == ("PUT", "/v1/sys/leases/renew"):
            return self._renew(body)
        return 404, {"errors": []}

    def _login(self, body: dict[str, str]) -> tuple[int, dict[str, Any]]:
        known = {"role_id": ROLE_ID, "secret_id": SECRET_ID}, {"role": ROLE_ID, "jwt": JWT}
        if body not in known:
            return 400, {"errors": ["invalid role or secret ID"]}
        token = f"s.{len(self.tokens)}"
        self.tokens.add(token)
        return 200, {"auth": {"client_token": token, "lease_duration": 3600, "renewable": True}}

    def _account(self, path: str) -> tuple[int, dict[str, Any]]:
        self.made += 1
        user, password = self.make_account(self.made)
        lease = {"lease_id": f"{path[4:]}/{self.made}", "lease_duration": self.lease_s, "renewable": True}
        return 200, lease | {"data": {"username": user, "password": password}}

    def _renew(self, body: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if not self.renews:
            return 400, {"errors": ["lease not found"]}
        return 200, {"lease_id": body["lease_id"], "lease_duration": self.lease_s, "renewable": True}


@contextmanager
def vault_server() -> Iterator[Vault]:
    """The server on a port of loopback, until the block ends."""
    vault = Vault()

    class Handler(BaseHTTPRequestHandler):
        def _respond(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            status, content = vault.answer(self.command, self.path, body, self.headers.get("X-Vault-Token") or "")
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = _respond  # noqa: N815 -- the names that the base class calls

        def log_message(self, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    vault.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield vault
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
