"""Processes of the lab, known by pid and start time so that a reused pid is never taken for one of ours."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.services.patience import patience

STOPPED, RUNNING, FROZEN = "stopped", "running", "frozen"


@dataclass(frozen=True, slots=True)
class _Stat:
    """State letter, number of threads and start time (ticks) of a process, from proc(5)."""

    state: str
    threads: int
    started: str

    @property
    def is_dead(self) -> bool:
        """Ended, and so are its threads: of a killed server the leader is a zombie first, while threads of it still
        hold its ports and files.
        """
        return self.state in "ZX" and self.threads <= 1


def _stat(pid: int) -> _Stat | None:
    """What /proc says of a process, or None. The name in brackets may hold blanks."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return _Stat(fields[0], int(fields[17]), fields[19])


def spawn(
    command: list[str],
    pid_file: Path,
    output: Path,
    *,
    cwd: Path | None = None,
    environment: dict[str, str] | None = None,
) -> int:
    """Start a process in a session of its own; its output is appended to a file. Returns the pid.

    posix_spawn leaves no object behind that would complain when the caller ends before the process does.
    """
    if cwd is not None:
        command = ["/usr/bin/env", "-C", str(cwd), *command]
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    pid = os.posix_spawn(
        command[0],
        command,
        environment or dict(os.environ),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), append, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    known = _stat(pid)
    if known is None:
        raise LabError(f"{command[0]} ended at once; see {output}")
    pid_file.write_text(f"{pid} {known.started}\n")
    return pid


def recorded(pid_file: Path) -> int | None:
    """The pid in the file if that very process still runs (any thread of it), else None."""
    try:
        pid, started = pid_file.read_text().split()
    except (FileNotFoundError, ValueError):
        return None
    known = _stat(int(pid))
    if known is None or known.started != started:
        return None
    if known.is_dead:
        _reap(int(pid))
        return None
    return int(pid)


def _reap(pid: int) -> None:
    """Clear a dead child of this very process (a lab driven from a test run)."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return  # the child of another process: its parent clears it


def state(pid_file: Path) -> str:
    """`running`, `frozen` (stopped by signal) or `stopped`."""
    pid = recorded(pid_file)
    known = _stat(pid) if pid is not None else None
    if known is None:
        return STOPPED
    return FROZEN if known.state in "Tt" else RUNNING


def is_frozen(pid_file: Path) -> bool:
    """Whether every thread of the process is stopped; after the signal each goes on for a moment."""
    pid = recorded(pid_file)
    if pid is None:
        return False
    try:
        tasks = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    except (FileNotFoundError, ProcessLookupError):
        return False  # one of them just ended
    return all(text.rpartition(")")[2].split()[0] in "Tt" for text in tasks)


def send(pid_file: Path, number: signal.Signals) -> bool:
    """Signal the recorded process; False if it is dead."""
    pid = recorded(pid_file)
    if pid is None:
        return False
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Poll every 50 ms; LabError naming `what` when the time (by `patience`) is over."""
    seconds *= patience()
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise LabError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.05)


def kill(pid_file: Path) -> bool:
    """SIGKILL and wait for the end; True if there was something to kill. Works on frozen processes too."""
    if not send(pid_file, signal.SIGKILL):
        return False
    wait_until(lambda: recorded(pid_file) is None, 60, f"the end of {pid_file.stem}")
    return True


def terminate(pid_file: Path, seconds: float) -> bool:
    """SIGTERM (thawing first) and wait; True if there was something to stop."""
    if not send(pid_file, signal.SIGCONT):
        return False
    send(pid_file, signal.SIGTERM)
    wait_until(lambda: recorded(pid_file) is None, seconds, f"the clean end of {pid_file.stem}")
    return True
