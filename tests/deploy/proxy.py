"""The sample files of the TLS proxy under a real nginx; only paths, ports and the console's address are replaced."""

from __future__ import annotations

import http.client
import json
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
from tests.deploy import served_console, units

HOST = "hawser.example.net"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def certificate(folder: Path) -> None:
    """A self-signed one: certificate.pem and key.pem."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)


def web_secrets(folder: Path, *names: str) -> None:
    """What proxy and web know each other by, made as an installation makes it."""
    script = str(ROOT / "deploy/proxy/make-web-secrets.sh")
    subprocess.run(["bash", script, *names], check=True, capture_output=True, env=os.environ | {"HAWSER_ETC": folder})


def web_settings(secrets: Path) -> dict[str, str]:
    """What the unit gives to a web process of these secrets."""
    return {
        "HAWSER_BEHIND_PROXY": "1",
        "HAWSER_PROXY_SECRET_FILE": f"{secrets}/secrets/proxy_secret",
        "UVICORN_SSL_CERTFILE": f"{secrets}/secrets/web_certificate",
        "UVICORN_SSL_KEYFILE": f"{secrets}/secrets/web_key",
        "UVICORN_SSL_CIPHERS": units.values("hawser-web.service", "Environment=UVICORN_SSL_CIPHERS")[0],
    }


def host_sample(folder: Path, port: int, console_port: int) -> Path:
    """deploy/proxy/hawser.conf inside the file that a host's nginx includes it from."""
    text = _of_host("hawser.conf", folder)
    text = replaced(text, {"listen 443 ssl": f"listen {port} ssl", "server 127.0.0.1:8000": _upstream(console_port)})
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    return _written(folder, f"pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")


def two_hosts_sample(folder: Path, port: int, *console_ports: int, clear: bool = False) -> Path:
    """deploy/proxy/hawser-two-hosts.conf; both servers are the one console where only one is given.

    `clear` is for webs on loopback that speak no TLS.
    """
    text = _of_host("hawser-two-hosts.conf", folder)
    text = text.replace("https://hawser;", "http://hawser;") if clear else text
    first, second = console_ports if len(console_ports) == 2 else console_ports * 2
    upstreams = {"server 10.0.0.11:8000": _upstream(first), "server 10.0.0.12:8000": _upstream(second)}
    text = replaced(text, {"listen 443 ssl": f"listen {port} ssl", **upstreams})
    paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    return _written(folder, f"pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")


def compose_sample(folder: Path, port: int, console_port: int) -> Path:
    """deploy/compose/conf/nginx.conf."""
    text = re.sub(r" /tmp/(\w)", rf" {folder}/\1", (ROOT / "deploy/compose/conf/nginx.conf").read_text())
    text = text.replace("/run/secrets/tls_certificate", f"{folder}/certificate.pem")
    changes = {
        "/etc/hawser/internal_ca.pem": f"{folder}/web_ca.pem",
        "/run/secrets/proxy_header": f"{folder}/proxy_header.conf",
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


def sign_in(port: int, *, source: str = LOOPBACK, **headers: str) -> None:
    """Signs in over TLS from this address of the machine, as a browser does."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(LOOPBACK, port, timeout=20, source_address=(source, 0), context=context)
    origin = {"Host": f"{HOST}:{port}", "Referer": f"https://{HOST}:{port}/"}
    try:
        connection.request("GET", "/api/v1/session", headers=origin)
        answer = connection.getresponse()
        answer.read()
        cookie = next(value for value in answer.headers.get_all("Set-Cookie") or [] if "csrf" in value).partition(";")[
            0
        ]
        sent = origin | {"Content-Type": "application/json", "Cookie": cookie, "X-CSRFToken": cookie.partition("=")[2]}
        body = json.dumps({"username": served_console.USER, "password": served_console.PASSWORD})
        connection.request("POST", "/api/v1/session", body, sent | headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
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
    # The options set the lowest level: openssl offers no weak cipher otherwise.
    command = ["openssl", "s_client", "-connect", f"{LOOPBACK}:{port}", "-brief", *options]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=20)
    found = re.search(r"Protocol version: (\S+)\nCiphersuite: (\S+)", done.stdout + done.stderr)
    return f"{found[1]} {found[2]}" if found else ""


def ports() -> tuple[int, int]:
    """Two free ones."""
    return free_port(), free_port()


def _of_host(name: str, folder: Path) -> str:
    """A sample for hosts with the files of the folder."""
    text = (ROOT / "deploy/proxy" / name).read_text()
    return text.replace("/etc/hawser/tls", str(folder)).replace("/etc/hawser", str(folder))


def _upstream(port: int) -> str:
    return f"server {LOOPBACK}:{port}"


def _written(folder: Path, text: str) -> Path:
    # A worker under another account could not write below this folder.
    account = "user root;\n" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(account + text)
    return config
