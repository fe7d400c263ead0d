"""The real thing under test: lab, Redis, web, worker and monitor, as the demo starts them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy.lab.api import Lab
from deploy.servers.catalogue import HOST
from tests.galera.console import Console
from tests.support.waiting import patience, wait_for

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = "10800" if os.environ.get("HAWSER_WHOLE") else "3000"
"""A stack ends automatically if its tests do not end it; every boundary of every cycle takes close to an hour."""


class Stack:
    """A running demo without its load, with handles on its parts."""

    def __init__(
        self,
        home: Path,
        variant: str,
        port: int,
        lab_home: Path,
        net: str,
        *,
        servers: str = HOST,
        wan: str = "",
        is_bare: bool = False,
    ) -> None:
        self.home, self.variant, self.port, self.servers = home, variant, port, servers
        self._further = [*(["--wan", wan] if wan else []), *(["--bare"] if is_bare else [])]
        self.patience = 4.0 if wan else 1.0
        """Factor on the waits for what the monitor sees and runs do: over distance every look takes longer."""
        self.lab = Lab(lab_home, net)
        self._env = os.environ | {
            "HAWSER_LAB_HOME": str(lab_home), "HAWSER_LAB_NET": net, "HAWSER_LAB_SERVER": servers, "HAWSER_LEASE_S": "4"
        }  # fmt: skip
        self._ready = home / "ready.json"
        self._process: subprocess.Popen[bytes] | None = None
        self._monitor: subprocess.Popen[bytes] | None = None
        self.facts: dict[str, Any] = {}
        self.prologue = ""
        """Python that a driven worker runs first."""
        self.stated_losses: set[str] = set()
        """Write ids that an operator chose to undo; the load's record never forgets them."""
        self.is_healed = False
        """The last test left it healed, and nothing has touched it since."""
        self.is_given_up = False
        """A test hurt it in a way that this release does not survive: it is taken down instead of healed."""

    def up(self) -> None:
        """Start everything; raises with the log's end where it does not come up."""
        self.home.mkdir(parents=True, exist_ok=True)
        with (self.home / "demo.log").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable, "-m", "deploy.demo", "--home", str(self.home), "--port", str(self.port),
                    "--variant", self.variant, "--no-load", "--seconds", LONGEST_S, "--ready-file", str(self._ready),
                    *self._further,
                ],
                cwd=ROOT, env=self._env, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        wait_for(self._is_ready, "the stack to come up", 240)
        self.facts = json.loads(self._ready.read_text())

    def _is_ready(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise AssertionError((self.home / "demo.log").read_text()[-4000:])
        return self._ready.exists()

    @property
    def console(self) -> Console:
        """The API, with the demo's own token; bare clusters have no link until one is registered."""
        return Console(self.facts["url"], self.facts["token"], self.facts.get("link_id", ""), self.patience)

    def restart_monitor(self) -> None:
        """kill -9 of the monitor; another one begins with an empty memory and stays until the stack goes down."""
        env = self.worker_env()
        os.kill(self._monitor.pid if self._monitor else int(self.facts["pids"]["monitor"]), signal.SIGKILL)
        with (self.home / "monitor.log").open("ab") as log:
            command = [sys.executable, "manage.py", "hawser_monitor"]
            self._monitor = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)

    def hold_monitors(self) -> None:
        """SIGSTOP of every monitor: what happens now, none sees."""
        for pid in self._monitors():
            os.kill(pid, signal.SIGSTOP)

    def renew_monitors(self) -> None:
        """kill -9 of every monitor; the one that is started again begins with an empty memory."""
        for pid in self._monitors():
            os.kill(pid, signal.SIGKILL)

    def _monitors(self) -> list[int]:
        """That of the demo, which is restarted whenever it ends, and that of `restart_monitor`."""
        parents = {os.getpid(), *([self._process.pid] if self._process else [])}
        return [pid for pid, command in _children(parents) if b"hawser_monitor" in command]

    def down(self) -> None:
        """Stop everything."""
        if self._monitor is not None:
            self._monitor.kill()
            self._monitor.wait(timeout=60 * patience())
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=120 * patience())

    def worker_env(self) -> dict[str, str]:
        """The environment of the demo's own worker, for further ones."""
        raw = Path(f"/proc/{self.facts['pids']['web']}/environ").read_bytes().split(b"\0")
        return dict(item.decode().split("=", 1) for item in raw if b"=" in item)

    @contextlib.contextmanager
    def paused_worker(self) -> Iterator[None]:
        """The demo's worker held still, so that another one takes the work."""
        group = os.getpgid(self.worker_pid())
        os.killpg(group, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(group, signal.SIGCONT)

    def worker_pid(self) -> int:
        """The demo's present Celery worker; it is restarted whenever it ends."""
        assert self._process is not None
        for pid, command in _children({self._process.pid}):
            if b"celery" in command:
                return pid
        raise LookupError("no worker runs")

    def drive(self, run_id: str, fault: str = "") -> int:
        """A worker process that takes one run; is killed at `fault` where one is named. Its exit code."""
        worker = self.drive_in_background(run_id, fault)
        try:
            return worker.wait(timeout=180 * patience())
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
            raise

    def drive_in_background(self, run_id: str, fault: str = "") -> subprocess.Popen[bytes]:
        """The same, not waited for."""
        code = (
            f"{self.prologue}import django; django.setup(); "
            f"from backend.operations.runs.execution.driver import drive; drive({run_id!r})"
        )
        env = self.worker_env() | {"DJANGO_SETTINGS_MODULE": "backend.config.settings", "HAWSER_FAULT_AT": fault}
        with (self.home / "driver.log").open("ab") as log:
            return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=env, stdout=log, stderr=log)

    @staticmethod
    def is_stopped(process: subprocess.Popen[bytes]) -> bool:
        """Whether a process sleeps by SIGSTOP."""
        return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def _children(parents: set[int]) -> Iterator[tuple[int, bytes]]:
    """Pid and command line of every running process that one of these started."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in parents:
                yield int(folder.name), command
