"""The console served as the unit serves it, on a loopback port, with a database of its own."""

from __future__ import annotations

import json
import re
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path

from deploy.services.net import LOOPBACK, free_port, port_open
from deploy.services.process import PYTHON, ROOT, Child, run, wait_until

USER, PASSWORD = "anna", "correct horse battery staple"
UNIT = ROOT / "deploy/systemd/hawser-web.service"


class Served:
    """A migrated database with one administrator, and web processes on it."""

    def __init__(self, home: Path) -> None:
        self.home, self.database = home, home / "console.sqlite3"
        self.env = {
            "HAWSER_DEBUG": "1",
            "HAWSER_DATABASE_URL": f"sqlite:///{self.database}",
            "HAWSER_REDIS_URL": f"redis://{LOOPBACK}:1/0",
            "HAWSER_ALLOWED_HOSTS": "hawser.example.net,127.0.0.1",
        }
        run([PYTHON, "manage.py", "migrate", "--no-input"], env=self.env)
        user = ["hawser_user", USER, "--role", "admin", "--password-stdin"]
        run([PYTHON, "manage.py", *user], env=self.env, stdin=PASSWORD + "\n")

    @contextmanager
    def web(self, **settings: str) -> Iterator[int]:
        """A web process with these settings; its port."""
        port = free_port()
        child = Child("web", web_command(port), self.home / f"web-{port}.log", self.env | settings).start()
        try:
            assert wait_until(lambda: port_open(port), 30, child), child.tail()
            yield port
        finally:
            child.stop()

    def sources_of_sign_ins(self) -> list[str]:
        """Addresses in the audit record, oldest first."""
        query = "SELECT source_ip FROM audit_auditrecord WHERE action = 'session:user:sign_in' ORDER BY seq"
        with sqlite3.connect(self.database, timeout=10) as connection:
            return [source for (source,) in connection.execute(query)]


def web_command(port: int) -> list[str]:
    """The unit's own command with another Python and port."""
    start = re.search(r"^ExecStart=\S+/python (.+)$", UNIT.read_text(), re.MULTILINE)
    assert start is not None
    return [PYTHON, *start[1].replace("--port 8000", f"--port {port}").split()]


def sign_in(port: int, **headers: str) -> None:
    """Signs in as a browser does, with these headers besides."""
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    url = f"http://{LOOPBACK}:{port}/api/v1/session"
    with suppress(urllib.error.HTTPError):  # no user is signed in yet; the cookie comes with that answer
        browser.open(url, timeout=20).close()
    token = next(str(cookie.value) for cookie in jar if "csrf" in cookie.name)
    sent = {"Content-Type": "application/json", "X-CSRFToken": token}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"username": USER, "password": PASSWORD}).encode()
    browser.open(urllib.request.Request(url, body, sent), timeout=20).close()
