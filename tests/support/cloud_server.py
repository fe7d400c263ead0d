"""A stand-in for three cloud providers over TLS: it checks the signature or token of each call, as they document it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.support.certificates import authority

ACCESS, SECRET, REGION = "AKIAHAWSER", "secret-of-aws", "eu-south-1"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@dataclass
class Cloud:
    """What it holds; `refused` are the reasons why it answered 403."""

    secrets: dict[str, str] = field(default_factory=dict)
    google_key: rsa.RSAPublicKey | None = None
    url: str = ""
    ca_file: str = ""
    refused: list[str] = field(default_factory=list)
    logins: int = 0

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
        """Status and object of one call."""
        if headers.get("x-amz-target") == "secretsmanager.GetSecretValue":
            return self._aws(method, path, headers, body)
        if path == "/token":
            return self._google_token(parse_qs(body.decode()))
        if path == "/tenant-1/oauth2/v2.0/token":
            return self._azure_token(parse_qs(body.decode()))
        return self._read(path, headers)

    def _aws(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
        if signature_of(method, path, headers, body) not in headers["authorization"]:
            return self._refuse("the signature does not match")
        found = self.secrets.get(json.loads(body)["SecretId"])
        return (400, {"__type": "ResourceNotFoundException"}) if found is None else (200, {"SecretString": found})

    def _google_token(self, given: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
        head, claims, signature = given["assertion"][0].split(".")
        assert self.google_key is not None
        try:
            self.google_key.verify(
                _decoded(signature), f"{head}.{claims}".encode(), padding.PKCS1v15(), hashes.SHA256()
            )
        except InvalidSignature:
            return self._refuse("the assertion is not signed by this account")
        if given["grant_type"] != [GRANT] or json.loads(_decoded(claims))["aud"] != f"{self.url}/token":
            return self._refuse("the assertion is for another audience")
        return self._token("google")

    def _azure_token(self, given: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
        if given["client_id"] != ["app-1"] or given["client_secret"] != ["secret-of-azure"]:
            return self._refuse("the client secret is wrong")
        return self._token("azure")

    def _token(self, of: str) -> tuple[int, dict[str, Any]]:
        self.logins += 1
        return 200, {"access_token": f"token-of-{of}", "expires_in": 3600}

    def _read(self, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        name = path.removeprefix("/v1/projects/p1/secrets/").removesuffix("/versions/latest:access")
        if name != path:
            if headers.get("authorization") != "Bearer token-of-google":
                return self._refuse("no token")
            found = self.secrets.get(name)
            text = base64.b64encode((found or "").encode()).decode()
            return (404, {}) if found is None else (200, {"payload": {"data": text}})
        if headers.get("authorization") != "Bearer token-of-azure":
            return self._refuse("no token")
        found = self.secrets.get(path.removeprefix("/secrets/").removesuffix("?api-version=7.4"))
        return (404, {}) if found is None else (200, {"value": found})

    def _refuse(self, reason: str) -> tuple[int, dict[str, Any]]:
        self.refused.append(reason)
        return 403, {"error": reason}


def signature_of(method: str, path: str, headers: Mapping[str, str], body: bytes) -> str:
    """Signature Version 4 of a call as it arrived."""
    names = headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    canonical = [method, path, "", *(f"{name}:{headers[name].strip()}" for name in names), "", ";".join(names)]
    whole = "\n".join([*canonical, hashlib.sha256(body).hexdigest()])
    at = headers["x-amz-date"]
    scope = [at[:8], REGION, "secretsmanager", "aws4_request"]
    text = "\n".join(["AWS4-HMAC-SHA256", at, "/".join(scope), hashlib.sha256(whole.encode()).hexdigest()])
    key = b"AWS4" + SECRET.encode()
    for part in scope:
        key = hmac.digest(key, part.encode(), "sha256")
    return f"Signature={hmac.digest(key, text.encode(), 'sha256').hex()}"


@contextmanager
def cloud_server(folder: Path) -> Iterator[Cloud]:
    """The server on a port of loopback, until the block ends; `folder` gets its certificate."""
    cloud, trusted = Cloud(), authority("Cloud CA")
    shown = trusted.signs("localhost", addresses=("127.0.0.1",))
    files = {name: folder / f"cloud-{name}.pem" for name in ("ca", "cert", "key")}
    for name, text in (("ca", trusted.cert), ("cert", shown.cert), ("key", shown.key)):
        files[name].write_text(text)

    class Handler(BaseHTTPRequestHandler):
        def _respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, answer = cloud.answer(self.command, self.path, headers, body)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        do_GET = do_POST = _respond  # noqa: N815 - the names of http.server

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """No lines in the output of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["cert"], files["key"])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    cloud.url, cloud.ca_file = f"https://127.0.0.1:{server.server_port}", str(files["ca"])
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield cloud
    server.shutdown()
    server.server_close()
    thread.join()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
