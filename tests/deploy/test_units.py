from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.services.net import free_port, port_open
from deploy.services.process import ROOT, Child, wait_until

pytestmark = pytest.mark.deploy

UNITS = ROOT / "deploy/systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))


def test_units__verified_by_systemd__have_no_fault(tmp_path: Path) -> None:
    for unit in (*UNITS.glob("*.service"), *UNITS.glob("*.target")):
        # The program lies where an installation puts it; here any program stands for it.
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/hawser/.venv/bin/python", "/bin/true"))
    command = ["systemd-analyze", "verify", "--man=no", *(str(path) for path in tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    messages = [line for line in done.stderr.splitlines() if "hawser" in line]
    assert (done.returncode, messages) == (0, [])


@pytest.mark.parametrize("name", SERVICES)
def test_unit__secrets__come_as_credentials(name: str) -> None:
    text = (UNITS / name).read_text()
    loaded = set(re.findall(r"^LoadCredential=(\w+):", text, re.MULTILINE))
    used = set(re.findall(r"_FILE=%d/(\w+)$", text, re.MULTILINE))
    assert loaded == used
    assert {"secret_key", "credentials_key", "audit_key", "database_url"} <= used


@pytest.mark.parametrize("name", SERVICES)
def test_unit__module_or_command__exists(name: str) -> None:
    text = (UNITS / name).read_text()
    start = re.search(r"^ExecStart=\S+/python (.+)$", text, re.MULTILINE)
    assert start is not None
    for module in re.findall(r"backend\.config\.\w+", start[1]):
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file()
    if "manage.py" in start[1]:
        command = start[1].split()[1]
        assert list((ROOT / "backend").glob(f"*/management/commands/{command}.py"))


def test_target__wants__every_service() -> None:
    wants = re.search(r"^Wants=(.+)$", (UNITS / "hawser.target").read_text(), re.MULTILINE)
    assert wants is not None
    assert sorted(wants[1].split()) == SERVICES


def _certificate(folder: Path) -> None:
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)


def _nginx_accepts(config: Path) -> None:
    done = subprocess.run(
        [shutil.which("nginx") or "/usr/sbin/nginx", "-t", "-q", "-c", str(config)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_host_proxy_sample__given_to_nginx__is_accepted(tmp_path: Path) -> None:
    _certificate(tmp_path)
    sample = (ROOT / "deploy/proxy/hawser.conf").read_text().replace("/etc/hawser/tls", str(tmp_path))
    wrapped = f"pid {tmp_path}/pid;\nerror_log {tmp_path}/log;\nevents {{}}\nhttp {{\n{sample}\n}}\n"
    config = tmp_path / "nginx.conf"
    config.write_text(wrapped)
    _nginx_accepts(config)


def test_compose_proxy__given_to_nginx__is_accepted(tmp_path: Path) -> None:
    _certificate(tmp_path)
    text = (ROOT / "deploy/compose/conf/nginx.conf").read_text().replace(" /tmp/", f" {tmp_path}/")
    text = text.replace("/run/secrets/tls_certificate", f"{tmp_path}/certificate.pem")
    text = text.replace("/run/secrets/tls_key", f"{tmp_path}/key.pem")
    text = text.replace("server web:8000", "server 127.0.0.1:8000")
    config = tmp_path / "nginx.conf"
    config.write_text(text)
    _nginx_accepts(config)


def test_compose_redis_config__given_to_redis__listens_and_wants_the_password(tmp_path: Path) -> None:
    port = free_port()
    auth = tmp_path / "auth"
    auth.write_text("requirepass sesame\n")
    text = (ROOT / "deploy/compose/conf/redis.conf").read_text()
    text = text.replace("/run/secrets/redis_auth", str(auth)).replace("dir /data", f"dir {tmp_path}")
    config = tmp_path / "redis.conf"
    config.write_text(text.replace("port 6379", f"port {port}").replace("bind * -::*", "bind 127.0.0.1"))
    server = Child("redis", ["redis-server", str(config)], tmp_path / "log", grace_s=5).start()
    try:
        assert wait_until(lambda: port_open(port), 10, server), server.tail()
        command = ["redis-cli", "--no-auth-warning", "-p", str(port)]
        refused = subprocess.run([*command, "ping"], capture_output=True, text=True, check=False)
        welcome = subprocess.run([*command, "-a", "sesame", "ping"], capture_output=True, text=True, check=False)
        assert "NOAUTH" in refused.stdout
        assert welcome.stdout == "PONG\n"
    finally:
        server.stop()
