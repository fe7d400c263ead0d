"""What the figures were taken on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

BUSY = "busy with other work"


def describe() -> dict[str, str]:
    """Machine, date and versions, by name as shown."""
    averages = os.getloadavg()
    load = ", ".join(f"{each:.1f}" for each in averages)
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {_memory_gib():.0f} GiB, {_processor()}",
        "system": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
        "load average at the start": load,
        BUSY: "yes" if averages[1] > (os.cpu_count() or 1) else "no",
        "MariaDB": _first_line(["mariadbd", "--version"]),
        "Galera": _galera(),
        "mariadb-binlog": _first_line(["mariadb-binlog", "--version"]),
        "python-mysql-replication": version("mysql-replication"),
        "Python": platform.python_version(),
    }


def _first_line(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]


def _galera() -> str:
    told = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "galera-4"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def _memory_gib() -> float:
    return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES")) / 2**30


def _processor() -> str:
    match = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    return match.group(1).strip() if match else platform.machine()
