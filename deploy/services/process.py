"""Child processes that never outlive us: each in a session of its own, stopped by its own id."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.services.patience import patience

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
TIDY_UP_S = 20.0
_AUTOGROUP = Path("/proc/self/autogroup")
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


class ServiceError(Exception):
    """A part could not be brought up; the message says which and where its log lies."""


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> None:
    """Runs in the child: the kernel sends it this signal should we be killed before we can stop it.

    The kernel means the thread that started it, so children are started from the main thread only.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, number)


def take_share(autogroup_nice: int) -> None:
    """Runs in the child, at the head of its session: its share of the processors beside other sessions.

    The kernel shares them among sessions (sched(7), autogroup), so that a nice level of the process has no effect. Of
    any other user than root, or without autogroups, the share stays as it is.
    """
    with contextlib.suppress(OSError):
        _AUTOGROUP.write_text(str(autogroup_nice))


@dataclass
class Child:
    """One program with its log. `stop` is safe to call twice.

    An `autogroup_nice` of -10 gives it nine shares of the processors instead of one.
    """

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str] = field(default_factory=dict)
    grace_s: float = 15.0
    autogroup_nice: int = 0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> Child:
        """Starts the program; its output is appended to `log`."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                list(self.command),
                cwd=ROOT,
                env={**os.environ, **self.env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=self._prepare,  # noqa: PLW1509 - see die_with_parent
            )
        return self

    def _prepare(self) -> None:
        die_with_parent()
        take_share(self.autogroup_nice)

    @property
    def running(self) -> bool:
        """Whether the program was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """Exit code once ended, else None."""
        return self.process.poll() if self.process else None

    def tail(self, lines: int = 15) -> str:
        """The last lines of the log."""
        if not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def stop(self) -> None:
        """SIGTERM, then after `grace_s` SIGKILL; at last whatever is left in its session."""
        if self.process is None:
            return
        if self.running:
            self.process.terminate()
            try:
                self.process.wait(self.grace_s)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        kill_group(self.process.pid)


def kill_group(group: int) -> None:
    """Kills what is left of the process group that a child of ours led."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def wait_until(ready: Callable[[], bool], seconds: float, child: Child | None = None) -> bool:
    """Polls `ready` until it is true, the time (by `patience`) is over, or `child` has ended."""
    deadline = time.monotonic() + seconds * patience()
    while time.monotonic() < deadline:
        if ready():
            return True
        if child is not None and not child.running:
            return False
        time.sleep(0.1)
    return ready()


def run(command: Sequence[str], *, env: Mapping[str, str] | None = None, stdin: str | None = None) -> str:
    """Runs a short program to its end and returns its standard output.

    Raises ServiceError with its last words when it fails. It has a session of its own, so that Ctrl-C
    reaches us alone; if we are interrupted, it gets a SIGINT and time to tidy up.
    """
    process = subprocess.Popen(
        list(command),
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=die_with_parent,  # noqa: PLW1509 - see there
    )
    try:
        out, err = process.communicate(stdin)
    except BaseException:
        _interrupt(process)
        raise
    if process.returncode != 0:
        last_lines = "\n".join((err.strip() or out.strip()).splitlines()[-15:])
        raise ServiceError(f"{' '.join(command)} ended with {process.returncode}:\n{last_lines}")
    return out


def _interrupt(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(TIDY_UP_S)
    except subprocess.TimeoutExpired:
        kill_group(process.pid)
        process.wait()
