"""The console runs with what the compose file gives to a service, environment and secrets, and nothing else."""

from __future__ import annotations

import base64
import json
import os
import re
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
from tests.deploy.compose import dockerfile_text, services

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_LIMIT_S = 120


def _key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


class Service:
    """A process with environment and secrets of its service."""

    def __init__(self, process: str, home: Path, values: Mapping[str, str]) -> None:
        self.service, self.home = services()[process], home / process
        self.home.mkdir()
        for name in self.service["secrets"]:
            (self.home / name).write_text(values[name])
        given = {k: v.replace("/run/secrets", str(self.home)) for k, v in self.service["environment"].items()}
        self.env = {"PATH": os.environ["PATH"]} | given

    def run(self, *arguments: str) -> str:
        """Output of `manage.py` in it."""
        command = [PYTHON, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def web(self) -> Iterator[int]:
        """The image's own command on a free port."""
        port, log = free_port(), self.home / "web.log"
        (words,) = re.findall(
            r"^CMD (\[.*uvicorn.*\])$", dockerfile_text(self.service).replace("\\\n", ""), re.MULTILINE
        )
        changes = {"python": PYTHON, "0.0.0.0": LOOPBACK, "8000": str(port)}  # noqa: S104 - what is replaced
        command = [changes.get(word, word) for word in json.loads(words)]
        with log.open("wb") as output:
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


def _values(folder: Path) -> dict[str, str]:
    """A value of each secret of the console's processes."""
    proxy.web_secrets(folder)
    keys = ("secret_key", "credentials_key", "audit_key", "password_pepper", "web_push_key")
    of_proxy = ("proxy_secret", "web_certificate", "web_key")
    return {
        **{name: _key() for name in keys},
        **{name: (folder / "secrets" / name).read_text() for name in of_proxy},
        **dict.fromkeys(("database_url", "migrate_database_url"), f"sqlite:///{folder / 'console.sqlite3'}"),
        "redis_url": f"redis://{LOOPBACK}:1/0",
    }


def test_web__with_its_own_environment__answers_health_check_monitor_and_scraper(tmp_path: Path) -> None:
    values, ca = _values(tmp_path), tmp_path / "web_ca.pem"
    Service("migrate", tmp_path, values).run("migrate", "--no-input")
    with Service("web", tmp_path, values).web() as port:
        assert status(port, "/healthz", f"{LOOPBACK}:{port}", ca) == 200
        # The monitor's health check; a scraper, which has no token yet; a stranger's name.
        assert status(port, "/readyz", f"web:{port}", ca) == 200
        assert status(port, "/metrics", f"web:{port}", ca) == 401
        assert status(port, "/metrics", "elsewhere.example.net", ca) == 400


@pytest.mark.parametrize("process", ["web", "worker", "monitor", "migrate"])
def test_service__with_its_own_environment__has_all_settings_and_none_unknown(process: str, tmp_path: Path) -> None:
    checked = Service(process, tmp_path, _values(tmp_path)).run("check", "--fail-level", "WARNING")
    assert "no issues" in checked
