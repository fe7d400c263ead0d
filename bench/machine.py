"""What the figures were taken on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

BUSY = "busy with other work"
QUIET_CORES = 0.5
"""A demo left running uses more."""
LOOK_S = 3.0


def describe() -> dict[str, str]:
    """Machine, date and versions, by name as shown."""
    cores = _cores_in_use()
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {_memory_gib():.0f} GiB, {_processor()}",
        "system": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
        "cores in use at the start": f"{cores:.1f}",
        BUSY: "yes" if cores > QUIET_CORES else "no",
        "MariaDB": _first_line(["mariadbd", "--version"]),
        "Galera": _galera(),
        "mariadb-binlog": _first_line(["mariadb-binlog", "--version"]),
        "python-mysql-replication": version("mysql-replication"),
        "Python": platform.python_version(),
    }


def _cores_in_use() -> float:
    """Cores at work, or taken by the host (steal), over LOOK_S; a load average still tells of work long ended."""
    before = _core_seconds()
    time.sleep(LOOK_S)
    return (_core_seconds() - before) / LOOK_S


def _core_seconds() -> float:
    """Of all cores since the start of the system: user, nice, system, irq, softirq, steal (proc(5))."""
    ticks = [int(each) for each in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return sum(ticks[:3] + ticks[5:8]) / os.sysconf("SC_CLK_TCK")


def _first_line(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]


def _galera() -> str:
    result = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "galera-4"], capture_output=True, text=True, check=False
    )
    return result.stdout.strip() or "unknown"


def _memory_gib() -> float:
    return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES")) / 2**30


def _processor() -> str:
    match = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    return match.group(1).strip() if match else platform.machine()
