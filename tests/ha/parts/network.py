"""Cuts parts off: every packet of a control group's sockets is dropped, in both directions, until the cut is healed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
HOOKS = (("outgoing", "output"), ("incoming", "input"))


def _table() -> str:
    return f"inet hawser_ha_{os.getpid()}"


def group_of(pid: int) -> Path:
    """The unified control group of a process, below /sys/fs/cgroup."""
    line = next(line for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines() if line.startswith("0::"))
    tree = ROOT / "unified" if (ROOT / "unified/cgroup.procs").exists() else ROOT
    return tree / line.removeprefix("0::/")


def cut(*groups: Path) -> None:
    """Nothing reaches these groups any more, and nothing leaves them; connections stay half-open."""
    lines = [f"add table {_table()}"]
    lines += [f"add chain {_table()} {chain} {{ type filter hook {hook} priority 0; }}" for chain, hook in HOOKS]
    for group in groups:
        match = f'socket cgroupv2 level 2 "{group.relative_to(ROOT)}"'
        lines += [f"add rule {_table()} {chain} {match} drop" for chain, _ in HOOKS]
    subprocess.run(["nft", "-f", "-"], input="\n".join(lines), text=True, check=True, timeout=10)


def heal() -> None:
    """No cut any more."""
    subprocess.run(["nft", "delete", "table", *_table().split()], check=False, capture_output=True, timeout=10)
