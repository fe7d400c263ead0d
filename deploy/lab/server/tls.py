"""A certificate authority of the lab and one certificate a node, by the openssl program."""

from __future__ import annotations

import subprocess
from pathlib import Path

from deploy.lab.layout import Node

DAYS = "30"
KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, umask=0o077)


def create_ca(folder: Path) -> None:
    """`ca.pem` and `ca.key` in `folder`."""
    _openssl(
        "req", "-x509", *KEY, "-days", DAYS, "-subj", "/CN=Hawser lab CA",
        "-addext", "basicConstraints=critical,CA:TRUE",
        "-keyout", str(folder / "ca.key"), "-out", str(folder / "ca.pem"),
    )  # fmt: skip


def create_node(folder: Path, node: Node, *, also: tuple[str, ...] = ()) -> None:
    """`NAME.pem` and `NAME.key`, valid for the node's address and name, and for further addresses (a proxy)."""
    request = folder / f"{node.name}.csr"
    extensions = folder / f"{node.name}.ext"
    names = [f"IP:{host}" for host in (node.host, *also)]
    extensions.write_text(f"subjectAltName={','.join(names)},DNS:{node.name}\n")
    _openssl(
        "req", "-new", *KEY, "-subj", f"/CN={node.host}",
        "-keyout", str(folder / f"{node.name}.key"), "-out", str(request),
    )  # fmt: skip
    _openssl(
        "x509", "-req", "-in", str(request), "-days", DAYS, "-extfile", str(extensions),
        "-CA", str(folder / "ca.pem"), "-CAkey", str(folder / "ca.key"), "-CAcreateserial",
        "-out", str(folder / f"{node.name}.pem"),
    )  # fmt: skip
    request.unlink()
    extensions.unlink()


def ensure(folder: Path, nodes: list[Node]) -> None:
    """Create what is missing."""
    if not (folder / "ca.pem").exists():
        create_ca(folder)
    for node in nodes:
        if not (folder / f"{node.name}.pem").exists():
            create_node(folder, node)
