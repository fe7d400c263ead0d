"""Certificates of the lab's servers: which one a node shows, what it trusts, and all of it put back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.galera.console import Answer, Json
from tests.galera.scene import Scene
from tests.galera.stack import ROOT
from tests.support.certificates import Made

Call = tuple[str, str, frozenset[str]]
"""Method, path below a cluster, and what of its TLS settings the body holds."""
_CALL = re.compile(r"call (?:-X (\w+) )?.*?\$API/clusters/\$CLUSTER(\S*)[^\n]*\n(?: *# (\{.*\})\n)?")


def documented_calls() -> set[Call]:
    """The calls of the page about certificates."""
    page = (ROOT / "docs/how-to/use-certificates.md").read_text()
    return {
        (method or "GET", path, frozenset(json.loads(body)["tls"] if body else ()))
        for method, path, body in _CALL.findall(page)
    }


@dataclass
class Certificates:
    """The files below `tls` of the lab, as they were first."""

    scene: Scene
    stored: dict[Path, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where the servers read their files."""
        return self.scene.stack.lab.paths.tls

    @property
    def authority(self) -> Made:
        """The authority of the lab, with its key."""
        cert, key = (self._first(f"ca.{kind}") for kind in ("pem", "key"))
        private = serialization.load_pem_private_key(key.encode(), None)
        assert isinstance(private, ec.EllipticCurvePrivateKey)
        return Made(cert, key, x509.load_pem_x509_certificate(cert.encode()), private)

    def _first(self, name: str) -> str:
        path = self.folder / name
        return self.stored.get(path) or path.read_text()

    def write(self, name: str, text: str) -> Path:
        """A file, kept as it was first."""
        path = self.folder / name
        if path.exists():
            self.stored.setdefault(path, path.read_text())
        path.touch(mode=0o600)
        path.write_text(text)
        return path

    def show(self, node: str, by: Made) -> None:
        """The node shows a certificate of this authority from now on."""
        made = by.signs(node, addresses=(self.scene.stack.lab.node(node).host,))
        self.write(f"{node}.pem", made.cert)
        self.write(f"{node}.key", made.key)
        self.flush(node)

    def trust(self, *authorities: Made) -> None:
        """Every server trusts client certificates of these authorities."""
        self.write("ca.pem", "".join(one.cert for one in authorities))
        for node in self.scene.nodes():
            self.flush(node)

    def flush(self, node: str) -> None:
        """The server reads its files again; open sessions go on."""
        self.scene.sql(node, "FLUSH SSL")

    def put_back(self) -> None:
        """All files as they were first."""
        for path, text in self.stored.items():
            path.write_text(text)
        for node in self.scene.nodes():
            self.flush(node)


def clusters(scene: Scene) -> list[Json]:
    """Both clusters of the link, as the API shows them."""
    return [scene.console.get(f"/clusters/{side['id']}") for side in scene.console.link()["clusters"].values()]


def set_tls(scene: Scene, **tls: str) -> None:
    """Store TLS settings of both clusters."""
    for answer in try_tls(scene, **tls):
        assert answer.status == 200, answer


def try_tls(scene: Scene, **tls: str) -> list[Answer]:
    """The answers of both clusters to new TLS settings."""
    given = {"tls": {"mode": "verify_identity", **tls}, "passwords": scene.stored_passwords}
    return [scene.console.change("PATCH", f"/clusters/{one['id']}", given) for one in clusters(scene)]


def findings(scene: Scene) -> list[Json]:
    """What the check of both clusters finds; every node is logged in to again."""
    return [
        finding
        for one in clusters(scene)
        for finding in scene.console.call("POST", f"/clusters/{one['id']}/check").body["findings"]
    ]


def certificates_of(scene: Scene) -> list[Json]:
    """The certificates of both clusters with their ends."""
    return [
        certificate
        for one in clusters(scene)
        for certificate in scene.console.get(f"/clusters/{one['id']}/certificates")["certificates"]
    ]


def require(scene: Scene, role: str, what: str) -> None:
    """What the account of a role must show to log in, on both clusters."""
    user = scene.stack.lab.accounts[role].user
    for node in ("db-a1", "db-b1"):
        scene.sql(node, f"ALTER USER '{user}'@'%' REQUIRE {what}")
