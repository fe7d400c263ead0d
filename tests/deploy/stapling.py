"""An authority that says of a certificate whether it is revoked (OCSP), by openssl."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.services.net import LOOPBACK
from deploy.services.process import Child, wait_until
from tests.deploy.proxy import HOST

_KEY = ("-newkey", "rsa:2048", "-nodes")


def certificate(folder: Path, port: int) -> None:
    """certificate.pem with its CA behind it, and key.pem; of its revocation the service at the port tells."""
    _openssl(folder, "req", "-x509", *_KEY, "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.pem")
    _openssl(folder, "req", "-new", *_KEY, "-subj", f"/CN={HOST}", "-keyout", "key.pem", "-out", "own.csr")
    (folder / "extensions").write_text(f"authorityInfoAccess=OCSP;URI:http://{LOOPBACK}:{port}\n")
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "0x1001", "-extfile", "extensions")
    _openssl(folder, "x509", "-req", "-in", "own.csr", *signed, "-days", "30", "-out", "own.pem")
    (folder / "certificate.pem").write_text((folder / "own.pem").read_text() + (folder / "ca.pem").read_text())
    (folder / "index.txt").write_text(f"V\t401231235959Z\t\t1001\tunknown\t/CN={HOST}\n")


@contextmanager
def responder(folder: Path, port: int) -> Iterator[None]:
    """The authority's service."""
    signer = ("-rsigner", "ca.pem", "-rkey", "ca.key", "-CA", "ca.pem", "-index", "index.txt")
    command = ["openssl", "ocsp", "-port", str(port), *signer, "-ndays", "1"]
    child = Child("ocsp", ["env", "-C", str(folder), *command], folder / "ocsp.log").start()
    try:
        # Not by a connection: openssl waits for a question on the first one, for ever.
        assert wait_until(lambda: "waiting for OCSP" in child.tail(), 10, child), child.tail()
        yield
    finally:
        child.stop()


def status_of(port: int) -> str:
    """What the server at the port staples to its certificate."""
    command = ["openssl", "s_client", "-connect", f"{LOOPBACK}:{port}", "-servername", HOST, "-status"]
    return subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=20).stdout


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)
