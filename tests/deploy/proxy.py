"""The sample files of the TLS proxy under a real nginx; only paths, ports and the console's address are replaced."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.services.net import LOOPBACK, free_port, port_open
from deploy.services.process import ROOT, Child, wait_until

HOST = "hawser.example.net"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def certificate(folder: Path) -> None:
    """A self-signed one: certificate.pem and key.pem."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)


def host_sample(folder: Path, port: int, console_port: int) -> Path:
    """deploy/proxy/hawser.conf inside the file that a host's nginx includes it from."""
    text = (ROOT / "deploy/proxy/hawser.conf").read_text().replace("/etc/hawser/tls", str(folder))
    text = replaced(text, {"listen 443 ssl": f"listen {port} ssl", "server 127.0.0.1:8000": _upstream(console_port)})
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    return _written(folder, f"pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")


def two_hosts_sample(folder: Path, port: int, *console_ports: int) -> Path:
    """deploy/proxy/hawser-two-hosts.conf; both servers are the one console where only one is given."""
    text = (ROOT / "deploy/proxy/hawser-two-hosts.conf").read_text().replace("/etc/hawser/tls", str(folder))
    first, second = console_ports if len(console_ports) == 2 else console_ports * 2
    upstreams = {"server 10.0.0.11:8000": _upstream(first), "server 10.0.0.12:8000": _upstream(second)}
    text = replaced(text, {"listen 443 ssl": f"listen {port} ssl", **upstreams})
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    return _written(folder, f"pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")


def compose_sample(folder: Path, port: int, console_port: int) -> Path:
    """deploy/compose/conf/nginx.conf."""
    text = re.sub(r" /tmp/(\w)", rf" {folder}/\1", (ROOT / "deploy/compose/conf/nginx.conf").read_text())
    changes = {
        "/run/secrets/tls_certificate": f"{folder}/certificate.pem",
        "/run/secrets/tls_key": f"{folder}/key.pem",
        "listen 8443 ssl": f"listen {port} ssl",
        "server web:8000": _upstream(console_port),
        "worker_processes auto": "worker_processes 1",
    }
    return _written(folder, replaced(text, changes))


def replaced(text: str, changes: dict[str, str]) -> str:
    """Each key, which stands there once, replaced."""
    for before, after in changes.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def accepted(config: Path) -> tuple[int, str]:
    """What nginx says of a file: exit code and messages."""
    command = [NGINX, "-t", "-q", "-c", str(config), "-e", str(config.parent / "error.log")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@contextmanager
def running(config: Path, port: int) -> Iterator[None]:
    """nginx in the foreground with this file."""
    command = [NGINX, "-c", str(config), "-g", "daemon off;", "-e", str(config.parent / "error.log")]
    child = Child("nginx", command, config.parent / "nginx.log").start()
    try:
        assert wait_until(lambda: port_open(port), 20, child), child.tail()
        yield
    finally:
        child.stop()


def ask(port: int, path: str, *, source: str = LOOPBACK, host: str = HOST) -> tuple[int, str]:
    """Status and text of a GET over TLS from this address of the machine; the path is sent as it is."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(LOOPBACK, port, timeout=20, source_address=(source, 0), context=context)
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def headers_of(port: int, path: str) -> tuple[int, list[tuple[str, str]]]:
    """Status and every header, each as often as it was sent."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(LOOPBACK, port, timeout=20, context=context)
    try:
        connection.request("GET", path, headers={"Host": HOST})
        answer = connection.getresponse()
        return answer.status, [(name.lower(), value) for name, value in answer.getheaders()]
    finally:
        connection.close()


def agreed(port: int, *options: str) -> str:
    """The version and cipher that openssl agrees on with the proxy; "" where they agree on none."""
    # Its own lowest level, so that it offers what it would keep back otherwise.
    command = ["openssl", "s_client", "-connect", f"{LOOPBACK}:{port}", "-brief", *options]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=20)
    found = re.search(r"Protocol version: (\S+)\nCiphersuite: (\S+)", done.stdout + done.stderr)
    return f"{found[1]} {found[2]}" if found else ""


def ports() -> tuple[int, int]:
    """Two free ones."""
    return free_port(), free_port()


def _upstream(port: int) -> str:
    return f"server {LOOPBACK}:{port}"


def _written(folder: Path, text: str) -> Path:
    # A worker under another account could not write below this folder.
    account = "user root;\n" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(account + text)
    return config
