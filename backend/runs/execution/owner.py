"""Who holds a run, told so that another process of the same machine sees at once that it is gone.

A lease is for what cannot be seen: another machine, or a process that stands still. A process that was killed is
gone for certain; waiting for its lease keeps the channels stopped, and what piles up meanwhile has to be applied.
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
    """`HOST:PID:CLAIM:NAMESPACE:STARTED`, unique to one claim; NAMESPACE is empty where a system does not tell it."""
    pid = os.getpid()
    return f"{socket.gethostname()[:60]}:{pid}:{uuid.uuid4().hex[:8]}:{_pid_namespace()}:{_started(pid) or ''}"


def is_gone(owner: str) -> bool:
    """Whether the process that claimed is dead; False wherever that cannot be told from here."""
    parts = owner.rsplit(":", 4)
    if len(parts) != 5 or not parts[1].isdigit() or not parts[3] or parts[3] != _pid_namespace():
        return False
    pid = int(parts[1])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it lives under another account
    started = _started(pid)
    return started is not None and started != parts[4]


def _pid_namespace() -> str:
    """Names the boot and the PID namespace in which a PID means something; empty where they cannot be read."""
    with suppress(OSError):
        named = f"{_BOOT.read_text().strip()}:{_NAMESPACE.stat().st_ino}"
        return hashlib.sha256(named.encode()).hexdigest()[:12]
    return ""


def _started(pid: int) -> str | None:
    """When that process began, in clock ticks since boot; `dead` for one that only waits to be reaped, None unknown."""
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "dead" if fields[0] in "ZX" else fields[19]
    return None
