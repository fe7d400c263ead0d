"""The stack under fault, with its parts in hand."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deploy.demo.console import token_of
from deploy.lab.verify.judge import Verdict as Judged
from tests.faults.judges.general_log import Listener
from tests.faults.parts.control import Chaos
from tests.faults.parts.host import STATEMENT_LOG, small_disk
from tests.faults.parts.lab import RecordingLab
from tests.faults.parts.sampler import Sampler
from tests.galera.console import Answer, Console, Json
from tests.galera.stack import ROOT, Stack
from tests.support.waiting import wait_for

SLEEP_BY_LOCK = "import threading, time; time.sleep = lambda s: threading.Event().wait(s); "
"""libfaketime 0.9.10 answers each clock_nanosleep (Python's sleep) with EINVAL while it leaves the monotonic clock
alone; without that, it is the waits of locks which never end."""
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
PARTS = ("redis", "database")
RELAY_DISK = "8m"


@contextlib.contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Not a byte left on a file system for the length of a block."""
    filler = folder / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)
    try:
        yield
    finally:
        filler.unlink()


@dataclass(frozen=True)
class RestoredConsole(Console):
    """The API of a console that ends all access as soon as its monitor notices the restore."""

    renewed: Callable[[], Console] | None = None

    def call(self, method: str, path: str, body: Json | None = None, if_match: str = "") -> Answer:
        """One call; with a new token, as made at the shell, where the old one was ended."""
        answer = super().call(method, path, body, if_match)
        if answer.status != 401 or self.renewed is None:
            return answer
        return self.renewed().call(method, path, body, if_match)


class FaultStack(Stack):
    """As `Stack`, behind the chaos proxy and with a console database that can be killed, stalled and restored."""

    chaos: Chaos
    lab: RecordingLab
    listeners: list[Listener]
    """One a node, from its first moment on."""
    sampler: Sampler | None = None
    is_spoiled = False
    """A test failed on it, or could not bring the link back: the next begins on a new one, instead of failing too."""
    _is_restored = False
    _skew: dict[str, str] = {}  # noqa: RUF012 - replaced, never changed

    def __init__(self, home: Path, variant: str, port: int, lab_home: Path, net: str) -> None:
        super().__init__(home, variant, port, lab_home, net)
        self.lab = RecordingLab(lab_home, net)

    def up(self) -> None:
        """Start everything; raises with the log's end where it does not come up."""
        self.home.mkdir(parents=True, exist_ok=True)
        self._ready = self.home / "ready.json"
        with (self.home / "demo.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.parts.host", str(self.home), str(self.port), self.variant],
                cwd=ROOT, env=self._env, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        wait_for(self._is_ready, "the stack to come up", 240)
        self.facts = json.loads(self._ready.read_text())
        self.listeners = [Listener(n.name, self.lab.paths.datadir(n.name) / STATEMENT_LOG) for n in self.lab.nodes]
        self.sampler = Sampler(self.lab)
        self.chaos = Chaos(self.facts["control"], [*(node.name for node in self.lab.nodes), *PARTS])

    def begin(self) -> None:
        """Up, with counters moved apart, so that nothing passes by luck."""
        self.up()
        self.lab.restart_counters("b", 2)
        self.lab.restart_counters("a", 1)

    def renew(self) -> None:
        """A new stack and lab on the same addresses; the old one's files are put aside."""
        self.down()
        self.home.rename(self.home.with_name(f"{self.home.name}-{time.time_ns()}"))
        self.lab.events.clear()
        self.stated_losses.clear()
        self.begin()

    def down(self) -> None:
        """Stop everything."""
        if self.sampler is not None:
            self.sampler.stop()
        super().down()

    def verified(self) -> Judged:
        """Every acknowledged write on every node that is up, but for what was stated as lost."""
        dead = tuple(node.name for node in self.lab.nodes if self.lab.state(node.name) != "running")
        found = self.lab.verify(seconds=60, skip=dead)
        for write_id in self.stated_losses:
            found.faults["lost"].pop(write_id, None)
        return found

    def pid(self, name: str) -> int:
        """Present pid of web, worker, monitor, redis or mariadb."""
        return int(json.loads((self.home / "pids.json").read_text())[name])

    def worker_pid(self) -> int:
        """The present Celery worker."""
        return self.pid("worker")

    def kill_part(self, name: str) -> None:
        """kill -9 of a part's whole process group; it is started again unless it is held."""
        old = self.pid(name)
        os.killpg(os.getpgid(old), signal.SIGKILL)
        if not self._hold_file(name).exists():
            wait_for(lambda: self.pid(name) != old, f"{name} to be started again", pause_s=0.05)

    @contextlib.contextmanager
    def with_lease(self, seconds: float) -> Iterator[None]:
        """The stack's own worker restarted with this lease, for the length of a block."""
        besides = self.home / "env-worker.json"
        besides.write_text(json.dumps({"HAWSER_LEASE_S": f"{seconds:g}"}))
        self.kill_part("worker")
        try:
            yield
        finally:
            besides.unlink()
            self.kill_part("worker")

    @contextlib.contextmanager
    def worker_with(self, **besides: str) -> Iterator[int]:
        """The stack's own worker restarted, this once with these settings besides; its pid.

        What is started in its place has the usual ones; one that still runs after the block is replaced.
        """
        environment = self.home / "env-worker.json"
        environment.write_text(json.dumps(besides))
        try:
            self.kill_part("worker")
        finally:
            environment.unlink()
        pid = self.pid("worker")
        try:
            yield pid
        finally:
            if self.pid("worker") == pid:
                self.kill_part("worker")

    def asleep_under(self, pid: int) -> list[int]:
        """Processes of a part's group that sleep by SIGSTOP."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
                if state == "T" and int(group) == pid:
                    found.append(int(stat.parent.name))
        return found

    def _hold_file(self, name: str) -> Path:
        return self.home / f"hold-{name}"

    @contextlib.contextmanager
    def without(self, name: str) -> Iterator[None]:
        """A part dead (kill -9) for the length of a block."""
        self._hold_file(name).touch()
        self.kill_part(name)
        try:
            yield
        finally:
            old = self.pid(name)
            self._hold_file(name).unlink()
            wait_for(lambda: self.pid(name) != old, f"{name} to be started again", pause_s=0.05)

    @contextlib.contextmanager
    def paused(self, name: str) -> Iterator[None]:
        """A part asleep (SIGSTOP) for the length of a block."""
        group = os.getpgid(self.pid(name))
        os.killpg(group, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(group, signal.SIGCONT)

    @contextlib.contextmanager
    def unresponsive_worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """A further worker that listens to another queue and so takes no message of the console."""
        env = self.worker_env() | {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
        worker = ["-m", "celery", "-A", "backend.config.celery", "worker", "--concurrency", "1", "-Q", "nothing"]
        options = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-n", "unresponsive@%h"]
        with (self.home / "unresponsive.log").open("ab") as log:
            process = subprocess.Popen([sys.executable, *worker, *options], cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait(timeout=60)

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """A management command of the console under test."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.worker_env(), capture_output=True, text=True, timeout=120, check=check,
        )  # fmt: skip

    def python(self, code: str) -> str:
        """Code inside the console's own process shape; what it printed."""
        env = self.worker_env() | {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
        return subprocess.run(
            [sys.executable, "-c", f"import django; django.setup()\n{code}"],
            cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=True,
        ).stdout  # fmt: skip

    def drive_at(self, offset: str, run_id: str) -> int:
        """A worker whose wall clock is off (`+1h`, `-3600s`) takes a run; its exit code."""
        before = self._skew, self.prologue
        self._skew = {"LD_PRELOAD": FAKETIME, "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        self.prologue = SLEEP_BY_LOCK
        try:
            return self.drive(run_id)
        finally:
            self._skew, self.prologue = before

    def worker_env(self) -> dict[str, str]:
        """The environment of the stack's own worker, for further ones."""
        return super().worker_env() | self._skew

    @contextlib.contextmanager
    def full_disk(self) -> Iterator[None]:
        """Not a byte left under the console's database for the length of a block."""
        with filled(self.home / "mariadb"):
            yield

    @contextlib.contextmanager
    def relay_logs_apart(self, name: str) -> Iterator[Path]:
        """A node, which holds no channel yet, keeps its relay logs on a small file system of their own; gives that."""
        config, folder = self.lab.paths.config(name), self.home / f"relay-{name}"
        was = config.read_text()
        with contextlib.ExitStack() as stack:
            stack.callback(folder.rmdir)
            small_disk(folder, stack, RELAY_DISK)
            self._restart(name, was.replace("relay_log = relay\n", f"relay_log = {folder / 'relay'}\n"))
            try:
                yield folder
            finally:
                self._restart(name, was)

    def _restart(self, name: str, config: str) -> None:
        """Killed, not stopped: a server whose thread waits for room does not end before there is some."""
        if self.lab.state(name) == "running":
            self.lab.kill(name)
        self.lab.paths.config(name).write_text(config)
        self.lab.start(name)

    # -- the console's database as a thing that can be copied

    def _client(self, program: str, *arguments: str) -> list[str]:
        parts = urlsplit(self.facts["database_url"])
        return [
            program, "--no-defaults", "--protocol=tcp", f"--host={parts.hostname}", f"--port={parts.port}",
            f"--user={parts.username}", f"--password={parts.password}", *arguments,
        ]  # fmt: skip

    def end_connections(self) -> None:
        """KILL of all that the console has open, as by a database that fails over."""
        source = "information_schema.processlist WHERE db='hawser' AND id<>CONNECTION_ID()"
        asked = f"SELECT CONCAT('KILL ', id, ';') FROM {source}"
        kills = subprocess.run(self._client("mariadb", "-N", "-e", asked), capture_output=True, check=True, timeout=10)
        # One that ended on its own meanwhile is no fault.
        subprocess.run(
            self._client("mariadb", "--force"), input=kills.stdout, capture_output=True, check=False, timeout=10
        )

    def copy_database(self) -> Path:
        """A consistent copy of the console's database, as a nightly backup makes it."""
        copy = self.home / f"console-{time.time_ns()}.sql"
        with copy.open("wb") as out:
            command = self._client("mariadb-dump", "--single-transaction", "--triggers", "--databases", "hawser")
            subprocess.run(command, stdout=out, check=True, timeout=60)
        return copy

    def restore_database(self, copy: Path) -> None:
        """Back to that copy, with web, worker and monitor running on."""
        drop = self._client("mariadb", "-e", "DROP DATABASE hawser")
        subprocess.run(drop, check=True, timeout=60)
        with copy.open("rb") as old:
            subprocess.run(self._client("mariadb"), stdin=old, check=True, timeout=60)
        self._is_restored = True

    @property
    def console(self) -> Console:
        """The API; after a restore by a token that may have to be made again at any time."""
        known = super().console
        if not self._is_restored:
            return known
        return RestoredConsole(known.url, known.token, known.link_id, known.patience, self._with_new_token)

    def _with_new_token(self) -> Console:
        self.facts["token"] = token_of(self.worker_env(), "admin", "restored")
        return super().console
