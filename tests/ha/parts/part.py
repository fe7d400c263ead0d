"""One program of the stack, on a host: a PID namespace that it shares with the other programs of that host alone.

A process in another PID namespace cannot see that a worker has ended: the other host takes a run over by its lease.
The control group, of each program its own, names all its processes, also those that it starts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.services.patience import patience
from deploy.services.process import ROOT, Child, wait_until

TREES = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup"))
_GROUPED = 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"'
_NEW_HOST = ("unshare", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc")
_NAMED = 'hostname "$1"; shift; exec "$@"'
_INIT = "sleep"


def why_not() -> str:
    """What this machine lacks; empty where parts can be started."""
    if os.geteuid() != 0:
        return "not root"
    missing = [name for name in ("unshare", "nft", "nginx", "haproxy", "socat") if shutil.which(name) is None]
    if missing:
        return f"no {', '.join(missing)}"
    return "" if _tree() else "no writable unified control group tree"


def _own_share() -> int:
    """The nice level of this session: a part, whose session is its own, takes no more than who starts it."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/self/autogroup").read_text().rpartition(" ")[2])
    return 0


def _tree() -> Path | None:
    return next((tree for tree in TREES if os.access(tree / "cgroup.procs", os.W_OK)), None)


def host(name: str, home: Path) -> Part:
    """A host on which nothing runs yet."""
    made = Part(name, [_INIT, "infinity"], home).start()
    assert wait_until(lambda: any(Path(f"/proc/{pid}/comm").read_text() == f"{_INIT}\n" for pid in made.pids()), 60)
    return made


@dataclass
class Part:
    """A program that can be killed, frozen, started again, and cut off (`tests.ha.parts.network`)."""

    name: str
    command: Sequence[str]
    home: Path
    env: Mapping[str, str] = field(default_factory=dict)
    host: Part | None = None
    """Where it runs; a part without one is a host of its own."""
    is_light: bool = False
    """It takes hardly any time, and others wait for it: its share of the processors is not that of a test run."""
    child: Child | None = None

    @property
    def group(self) -> Path:
        """Its control group."""
        tree = _tree()
        assert tree is not None, why_not()
        return tree / f"hawser_ha_{os.getpid()}" / self.name

    def start(self) -> Part:
        """Start it; the one before has ended."""
        self.group.mkdir(parents=True, exist_ok=True)
        inside = ["sh", "-c", _GROUPED, "-", str(self.group), *self._entry(), *self.command]
        log = self.home / "logs" / f"{self.name}.log"
        self.child = Child(
            self.name, inside, log, self.env, autogroup_nice=0 if self.is_light else _own_share()
        ).start()
        return self

    def _entry(self) -> list[str]:
        if self.host is None:
            return [*_NEW_HOST, "sh", "-c", _NAMED, "-", self.name]
        return ["nsenter", "--target", str(self.host.init()), "--pid", "--uts", "--mount", "env", "-C", str(ROOT)]

    def init(self) -> int:
        """The first process of the namespace, of a part that is a host."""
        names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in self.pids()}
        return next(pid for pid, name in names.items() if name == _INIT)

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self.child is not None and self.child.running

    def pids(self) -> list[int]:
        """All its processes, as this machine numbers them."""
        try:
            return [int(line) for line in (self.group / "cgroup.procs").read_text().split()]
        except FileNotFoundError:
            return []

    def signal(self, number: signal.Signals) -> None:
        """To each of its processes."""
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        """SIGKILL, and its end."""
        self.signal(signal.SIGKILL)
        if self.child is not None and self.child.process is not None:
            self.child.process.wait(60 * patience())
        wait_until(lambda: not self.pids(), 60)

    def freeze(self) -> None:
        """SIGSTOP."""
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT."""
        self.signal(signal.SIGCONT)

    def tail(self) -> str:
        """The end of its log."""
        return self.child.tail() if self.child else ""

    def end(self) -> None:
        """Killed, with its group removed; the last one's removes what held all groups."""
        self.thaw()
        self.kill()
        wait_until(lambda: is_removed(self.group), 60)
        is_removed(self.group.parent)


def is_removed(group: Path) -> bool:
    """Whether a control group has ended; one with a process or another group in it stays."""
    try:
        group.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
