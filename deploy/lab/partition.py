"""Cuts the network between lab nodes while clients still reach them: packet filter rules on control groups.

All nodes of a machine share the loopback source address, so a packet does not tell which node sent it. Each node's
processes therefore run in a control group of their own, and the rules match the group of the socket. This needs root,
nftables and the unified control group tree; where they are missing `cut` says so and the rest of the lab still works.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import subprocess
from pathlib import Path

from deploy.lab.errors import LabError
from deploy.lab.layout import SITES, Node, Paths
from deploy.lab.server import process

ROOT = Path("/sys/fs/cgroup")


def _tree() -> Path | None:
    """Where the unified tree is mounted."""
    for folder in (ROOT, ROOT / "unified"):
        if (folder / "cgroup.procs").exists() and (folder / "cgroup.controllers").exists():
            return folder
    return None


def _name(paths: Paths) -> str:
    return "hawser_lab_" + hashlib.sha256(str(paths.home).encode()).hexdigest()[:10]


def _group(paths: Paths, name: str) -> Path | None:
    tree = _tree()
    return tree / _name(paths) / name if tree and os.access(tree, os.W_OK) and os.geteuid() == 0 else None


def enrol(paths: Paths, name: str, pid: int) -> None:
    """Put a node's fresh process into its group, before it opens a socket; nothing where groups are not to be had."""
    group = _group(paths, name)
    if group is None:
        return
    try:
        group.mkdir(parents=True, exist_ok=True)
        (group / "cgroup.procs").write_text(str(pid))
    except OSError:
        return  # a container's read-only tree, or a process that ended at once: `cut` and `wait_synced` will tell


def pairs(target: str, nodes: list[Node]) -> list[tuple[Node, Node]]:
    """Pairs of nodes to separate: `a-b` all across the sites, a node's name that node from all others."""
    sites = target.split("-")
    if len(sites) == 2 and set(sites) == set(SITES):
        return [(one, other) for one, other in itertools.combinations(nodes, 2) if one.site != other.site]
    found = [(one, other) for one in nodes if one.name == target for other in nodes if other != one]
    if not found:
        raise LabError(f"cut takes {'-'.join(SITES)} or a node's name, not {target!r}")
    return found


def rules(groups: dict[str, str], separated: list[tuple[Node, Node]]) -> list[str]:
    """Filter rules; `groups` maps node names to group paths. Packets are dropped where they leave and arrive."""
    lines: list[str] = []
    for one, other in (*separated, *((other, one) for one, other in separated)):
        match = f'socket cgroupv2 level 2 "{groups[one.name]}"'
        lines += [f"outgoing {match} ip daddr {other.host} drop", f"incoming {match} ip saddr {other.host} drop"]
    return lines


def cut(paths: Paths, nodes: list[Node], target: str) -> None:
    """Separate; adds to what is cut already."""
    separated = pairs(target, nodes)
    if shutil.which("nft") is None:
        raise LabError("cut needs the nft program (package nftables)")
    groups: dict[str, str] = {}
    for node in nodes:
        group = _group(paths, node.name)
        if group is None or not group.exists():
            raise LabError("cut needs root and a writable unified control group tree")
        groups[node.name] = str(group.relative_to(ROOT))
    table = f"inet {_name(paths)}"
    hooks = (("outgoing", "output"), ("incoming", "input"))
    script = [f"add table {table}"]
    script += [f"add chain {table} {chain} {{ type filter hook {hook} priority 0; }}" for chain, hook in hooks]
    script += [f"add rule {table} {rule}" for rule in rules(groups, separated)]
    done = subprocess.run(["nft", "-f", "-"], check=False, input="\n".join(script), text=True, capture_output=True)
    if done.returncode != 0:
        raise LabError(f"the packet filter refused: {done.stderr.strip()}")


def heal(paths: Paths) -> bool:
    """Remove every cut of this lab; False if there was none."""
    if os.geteuid() != 0 or shutil.which("nft") is None:
        return False
    done = subprocess.run(["nft", "delete", "table", "inet", _name(paths)], check=False, capture_output=True)
    return done.returncode == 0


def remove_groups(paths: Paths) -> None:
    """Remove the groups of a lab whose servers have ended; their helper programs may need a moment more."""
    tree = _tree()
    top = tree / _name(paths) if tree else None
    if top is None or not top.exists():
        return
    for group in (*(child for child in top.iterdir() if child.is_dir()), top):
        process.wait_until(lambda group=group: _removed(group), 60, f"the end of all processes in {group}")  # type: ignore[misc]


def _removed(group: Path) -> bool:
    try:
        group.rmdir()
    except OSError:
        return False
    return True
