"""The console as in production (MariaDB, Redis, web, workers, a monitor) on stand-ins and one real pair of clusters."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from bench.production import settings
from bench.workspace import Workspace
from deploy.demo.api import Api
from deploy.demo.register import register
from deploy.lab.api import Lab
from deploy.lab.load.control import Order
from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_port
from deploy.services.process import PYTHON, ROOT, Child, run, wait_until
from deploy.services.redis import start_redis

NODES, RATE = 6, 2.0
"""Of each stand-in link: its nodes, and transactions a second."""
WORKERS, PROCESSES = 2, 4
SITE = "a"
"""The site of the lab that is lost; the first side of every stand-in link is there, too."""
NET = os.environ.get("BENCH_NET", "127.64")
LOAD = Order(writers=2, rate=10.0, seconds=1200)
_CALLS = {"HAWSER_SLOW_CALLS": "39", "HAWSER_SLOW_CALLS_PER_CALLER": "39", "HAWSER_CALLS_PER_MINUTE": "100000"}
"""Forty plans are asked for by one caller at once, which the defaults refuse (429) beyond eight."""
_SHARES = {"web": -7, "worker": -10, "monitor": -7}
"""Of the processors, close to CPUWeight= of the units."""


@dataclass
class MassConsole:
    """A running console, its stand-ins, and the real pair with its writes."""

    api: Api
    lab: Lab
    real_link: str
    _stand_ins: subprocess.Popen[str]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer of a call; RuntimeError where it is refused."""
        status, answer = self.api.call(method, f"/api/v1{path}", body)
        if status >= 300:
            raise RuntimeError(f"{method} {path} answered {status}: {answer}")
        return answer

    def lose(self, host: str) -> None:
        """Let a stand-in's whole side stop answering."""
        if self._stand_ins.stdin is None or self._stand_ins.stdout is None:
            raise RuntimeError("the stand-ins have no pipe")
        self._stand_ins.stdin.write(f"lose {host}\n")
        self._stand_ins.stdin.flush()
        self._stand_ins.stdout.readline()


@contextmanager
def mass_console(home: Path, workspace: Workspace, links: int) -> Iterator[MassConsole]:
    """All of it with `links` links, of which one is real; it ends with the block."""
    with ExitStack() as stack:
        server = start_mariadb(home / "mariadb", home / "mariadb.log", durable=True)
        stack.callback(server.child.stop)
        redis = start_redis(home / "redis", home / "redis.log")
        stack.callback(redis.child.stop)
        os.environ |= settings(server.url) | _CALLS | {"HAWSER_REDIS_URL": redis.url, "HAWSER_DEMO": "1"}
        lab = Lab(workspace.lab_home, workspace.net)
        lab.down()
        stack.callback(lab.down)
        lab.up()
        run([PYTHON, "manage.py", "migrate", "--no-input"])
        run(
            [PYTHON, "manage.py", "hawser_user", "bench", "--role", "admin", "--password-stdin"],
            stdin=f"{token_urlsafe(24)}\n",
        )
        token = run([PYTHON, "manage.py", "hawser_token", "bench", "--label", "bench", "--expires", "1"]).strip()
        stand_ins = _stand_ins(links - 1)
        stack.callback(_end, stand_ins)
        api = Api(free_port(), token)
        for child in _processes(home, api.port):
            stack.callback(child.start().stop)
        if not wait_until(api.ready, 120):
            raise RuntimeError(f"the console did not come up; its logs were in {home}")
        real = register(api, lab.describe())
        lab.load_start(LOAD)
        yield MassConsole(api, lab, real, stand_ins)


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()


def _stand_ins(links: int) -> subprocess.Popen[str]:
    serve = [PYTHON, "-m", "bench.fleet.stand_in.serve", NET, str(links), str(NODES), str(RATE)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen(serve, cwd=ROOT, start_new_session=True, **pipes)
    if process.stdout is None or not process.stdout.readline():
        raise RuntimeError("the stand-ins did not start")
    run([PYTHON, "bench/fleet/console.py", "register", NET, str(links), str(NODES), SITE])
    return process


def _processes(home: Path, port: int) -> list[Child]:
    uvicorn = ["-m", "uvicorn", "backend.config.asgi:application", "--port", str(port), "--no-access-log"]
    celery = ["-m", "celery", "-A", "backend.config.celery", "worker", "--loglevel", "INFO"]
    lone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    workers = [
        (f"worker-{number}", [*celery, "--concurrency", str(PROCESSES), *lone, "-n", f"worker-{number}@bench"])
        for number in range(WORKERS)
    ]
    commands = [
        ("web", [*uvicorn, "--timeout-graceful-shutdown", "3"]),
        *workers,
        ("monitor", ["manage.py", "hawser_monitor"]),
    ]
    return [
        Child(
            name,
            [PYTHON, *command],
            home / f"{name}.log",
            {"HAWSER_PROCESS": name.partition("-")[0]},
            autogroup_nice=_SHARES[name.partition("-")[0]],
        )
        for name, command in commands
    ]
