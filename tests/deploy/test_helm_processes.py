"""The console runs with what the chart gives to a pod and nothing else: its environment, its secrets, its command."""

from __future__ import annotations

import base64
import os
import secrets
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.services.net import LOOPBACK, free_port, port_open
from deploy.services.process import PYTHON, ROOT, wait_until
from tests.deploy import proxy
from tests.deploy.helm_rules import pods, secrets_of
from tests.deploy.rendered_chart import objects

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_LIMIT_S = 120


def _key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


class Pod:
    """A process with the environment of its pod, which has this machine's loopback address."""

    def __init__(self, process: str, home: Path, values: Mapping[str, str]) -> None:
        self.pod, self.home = pods(objects("minimal"))[process], home / process
        self.home.mkdir()
        for name in secrets_of(self.pod):
            (self.home / name).write_text(values[name])

    @property
    def env(self) -> dict[str, str]:
        """The environment with the secrets' own folder; `$(POD_IP)` is replaced as Kubernetes does."""
        given = self.pod["containers"][0]["env"]
        named = {one["name"]: str(one.get("value", LOOPBACK)) for one in given}
        named = {k: v.replace("/run/secrets/hawser", str(self.home)) for k, v in named.items()}
        return {"PATH": os.environ["PATH"]} | {k: v.replace("$(POD_IP)", named["POD_IP"]) for k, v in named.items()}

    def run(self, *command: str) -> str:
        """Output of a command in the pod."""
        done = subprocess.run(
            command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def web(self) -> Iterator[int]:
        """The image's own command on a free port."""
        port, log = free_port(), self.home / "web.log"
        uvicorn = ["-m", "uvicorn", "backend.config.asgi:application", "--port", str(port), "--no-proxy-headers"]
        with log.open("wb") as output:
            command = [PYTHON, *uvicorn, "--lifespan", "on"]
            process = subprocess.Popen(command, cwd=ROOT, env=self.env, stdout=output, stderr=output)
        try:
            assert wait_until(lambda: port_open(port) or process.poll() is not None, _LIMIT_S)
            assert process.poll() is None, log.read_text()
            yield port
        finally:
            process.terminate()
            process.wait(30)


def status(port: int, path: str, host: str, ca: Path) -> int:
    """Status of an answer to a caller that names this host and verifies the certificate."""
    request = urllib.request.Request(f"https://{LOOPBACK}:{port}{path}", headers={"Host": host})
    context = ssl.create_default_context(cafile=str(ca))
    try:
        with urllib.request.urlopen(request, timeout=30, context=context) as response:  # noqa: S310 - loopback only
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_web_pod__with_its_own_environment__answers_probes_monitor_and_prometheus(tmp_path: Path) -> None:
    proxy.web_secrets(tmp_path)
    ca = tmp_path / "web_ca.pem"
    values = {
        **{name: _key() for name in ("secret_key", "credentials_key", "audit_key", "password_pepper")},
        **{name: (tmp_path / "secrets" / name).read_text() for name in ("proxy_secret", "web_certificate", "web_key")},
        **dict.fromkeys(("database_url", "migrate_database_url"), f"sqlite:///{tmp_path / 'console.sqlite3'}"),
        "redis_url": f"redis://{LOOPBACK}:1/0",
    }
    Pod("migrate", tmp_path, values).run(PYTHON, "manage.py", "migrate", "--no-input")
    with Pod("web", tmp_path, values).web() as port:
        assert status(port, "/healthz", "hawser.example.net", ca) == 200
        # The monitor's health check; Prometheus, which has the address of a pod and no token yet; a stranger's name.
        assert status(port, "/readyz", f"hawser-web:{port}", ca) == 200
        assert status(port, "/metrics", f"{LOOPBACK}:{port}", ca) == 401
        assert status(port, "/metrics", "elsewhere.example.net", ca) == 400


@pytest.mark.parametrize("process", ["worker", "monitor"])
def test_other_pods__with_their_own_environment__have_all_settings(process: str, tmp_path: Path) -> None:
    values = {
        **{name: _key() for name in ("credentials_key", "audit_key")},
        "database_url": f"sqlite:///{tmp_path / 'console.sqlite3'}",
        "redis_url": f"redis://{LOOPBACK}:1/0",
    }
    checked = Pod(process, tmp_path, values).run(PYTHON, "manage.py", "check", "--fail-level", "WARNING")
    assert "no issues" in checked
