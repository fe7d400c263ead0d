"""The stack as its operators meet it: by the proxy's address, and by killing its processes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import ssl
import time
from collections.abc import Iterator
from functools import cached_property
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from deploy.containers.engine import Engine
from deploy.containers.stack import Stack, prepare
from deploy.lab.layout import CONTAINERS_NET
from deploy.services.net import free_port
from tests.galera.console import Console, Json
from tests.support.waiting import wait_for

SERVICES = ("mariadb", "redis", "web", "worker", "monitor", "proxy")
_BACK_S = 180
_PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""Where a call comes from by a published port: an administrator's token is accepted from named addresses alone."""


class Production:
    """The production profile of the compose file, running."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.url = f"https://localhost:{stack.env['HAWSER_HTTPS_PORT']}"
        # What urllib verifies the proxy's self-signed certificate with.
        os.environ["SSL_CERT_FILE"] = str(stack.folder / "deploy/compose/secrets/tls_certificate")

    @cached_property
    def token(self) -> str:
        """Of an administrator who was made as docs/how-to/install.md says."""
        self.stack.manage("hawser_user", "anna", "--role", "admin")
        ranges = [word for network in _PRIVATE for word in ("--address", network)]
        return self.stack.manage("hawser_token", "anna", "--label", "tests", *ranges).strip()

    def forget_token(self) -> None:
        """A restore ends all tokens: the next call makes another one."""
        self.__dict__.pop("token", None)

    def console(self, link_id: str = "") -> Console:
        """The API through the proxy."""
        return Console(self.url, self.token, link_id, patience=2.0)

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page, through the proxy and without a token."""
        address = urlsplit(self.url)
        context = ssl.create_default_context()
        with contextlib.closing(HTTPSConnection("localhost", address.port, timeout=20, context=context)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def readiness(self) -> Json:
        """The readiness answer; an empty one while nothing answers."""
        try:
            found: Json = json.loads(self.get("/readyz")[1])
        except (OSError, ValueError):
            return {}
        return found

    def wait_ready(self) -> float:
        """Seconds until every part works."""
        began = time.monotonic()
        wait_for(lambda: self.readiness().get("status") == "ready", "the console to be ready", _BACK_S, pause_s=0.5)
        return time.monotonic() - began

    def main_process(self, service: str) -> int:
        """The machine's id of a container's first process; 0 while it is not running."""
        pid: int = self.stack.inspect(service)["State"]["Pid"]
        return pid

    def kill(self, service: str) -> None:
        """SIGKILL from outside, as the kernel does it when memory is short: the engine starts the container again."""
        pid = self.main_process(service)
        assert pid, f"{service} is not running"
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: self.main_process(service) not in (0, pid), f"{service} to be started again", pause_s=0.3)


@contextlib.contextmanager
def running(engine: Engine, folder: Path) -> Iterator[Production]:
    """The stack, up and healthy, on a port of the loopback address; a lab on this machine may be registered."""
    env = {
        "HAWSER_HTTPS_ADDRESS": "127.0.0.1",
        "HAWSER_HTTPS_PORT": str(free_port()),
        "HAWSER_ALLOWED_NETWORKS": f"{CONTAINERS_NET}.0.0/16",
    }
    stack = prepare(engine, folder, env)
    try:
        stack.up()
        yield Production(stack)
    finally:
        stack.down()
