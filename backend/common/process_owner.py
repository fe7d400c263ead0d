"""Identifies the process that holds a run or a call, so that others of the same machine see at once that it has ended.

A lease covers what cannot be seen: another machine, or a process that is stopped. A killed process has certainly ended.
Waiting for its lease would keep the channels stopped, and the backlog growing.
"""

from __future__ import annotations

import hashlib
import os
import socket
import uuid
from contextlib import suppress
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAMESPACE = Path("/proc/self/ns/pid")


def new_owner() -> str:
    """`HOST:PID:CLAIM:NAMESPACE:STARTED`, unique to one claim; NAMESPACE is empty if the system does not report it."""
    pid = os.getpid()
    return f"{socket.gethostname()[:60]}:{pid}:{uuid.uuid4().hex[:8]}:{_pid_namespace()}:{_started(pid) or ''}"


def is_gone(owner: str) -> bool:
    """Whether the process of the claim has ended; False if that is unknown."""
    parts = owner.rsplit(":", 4)
    if len(parts) != 5 or not parts[1].isdigit() or not parts[3] or parts[3] != _pid_namespace():
        return False
    pid = int(parts[1])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it runs under another account
    started = _started(pid)
    return started is not None and started != parts[4]


def _pid_namespace() -> str:
    """Identifies the boot and the PID namespace in which a PID is valid; empty if they cannot be read."""
    with suppress(OSError):
        named = f"{_BOOT.read_text().strip()}:{_NAMESPACE.stat().st_ino}"
        return hashlib.sha256(named.encode()).hexdigest()[:12]
    return ""


def _started(pid: int) -> str | None:
    """Start of that process in clock ticks since boot; `dead` for a zombie, None if unknown."""
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "dead" if fields[0] in "ZX" else fields[19]
    return None
