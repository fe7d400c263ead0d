"""The namespaces and routes of a lab with distance, by the `ip` program."""

from __future__ import annotations

import json
import shutil
import subprocess
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.wan.addresses import NAMESPACES, device, namespace, prefix
from deploy.lab.wan.plan import End

CONGESTION_CONTROL = "cubic"
"""Under loss bbr, the default of some machines, is faster by a factor of 40 than what most servers use."""
_QUEUE_PACKETS = 5000
_METRIC = "4278"


def _ip(*arguments: str, text: str | None = None) -> str:
    done = subprocess.run(["ip", *arguments], check=False, input=text, text=True, capture_output=True, timeout=30)
    if done.returncode != 0:
        raise LabError(f"ip {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout


def entry(home: Path, end: str) -> list[str]:
    """What a command begins with so that it runs in an end's namespace."""
    program = shutil.which("nsenter")
    if program is None:
        raise LabError("the program nsenter is missing (install the Debian package util-linux)")
    return [program, f"--net={NAMESPACES / namespace(home, end)}"]


def present(home: Path) -> list[str]:
    """Names of this lab's namespaces that exist, also of a lab that was not ended."""
    return sorted(file.name for file in NAMESPACES.glob(prefix(home) + "*"))


def require_free(home: Path, net: IPv4Network) -> None:
    """LabError if the machine has a route into the lab's network that is not the lab's own."""
    for route in json.loads(_ip("-json", "-4", "route", "show", "table", "all") or "[]"):
        if not _is_own(route, home) and _overlaps(str(route.get("dst", "default")), net):
            raise LabError(
                f"this machine has a route to {route['dst']} by {route.get('dev', '?')}, and the lab would use {net}."
                " Choose another HAWSER_LAB_NET: 127.7 stands for 198.18.7.0/24"
            )


def _is_own(route: dict[str, Any], home: Path) -> bool:
    is_fallback = route.get("type") == "unreachable" and str(route.get("metric")) == _METRIC
    return is_fallback or route.get("dev") == device(home)


def _overlaps(target: str, net: IPv4Network) -> bool:
    return target != "default" and IPv4Network(target, strict=False).overlaps(net)


def create(home: Path, ends: list[End], net: IPv4Network) -> None:
    """Make what is missing. While no router runs, the lab's network is unreachable: nothing leaves the machine."""
    _ip("route", "replace", "unreachable", str(net), "metric", _METRIC)
    there = set(present(home))
    for end in ends:
        name = namespace(home, end.name)
        if name and name not in there:
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")


def configure(home: Path, ends: list[End], net: IPv4Network, proxies: IPv4Network) -> None:
    """Give each device its address and route, once the router has opened it; the console has further addresses."""
    name = device(home)
    known = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    control = f" congctl {CONGESTION_CONTROL}" if CONGESTION_CONTROL in known else ""
    for end in ends:
        inside = namespace(home, end.name)
        lines = (
            f"addr add {end.address}/{net.prefixlen} dev {name} noprefixroute",
            f"link set dev {name} mtu 1500 txqueuelen {_QUEUE_PACKETS} up",
            f"route replace {net} dev {name} src {end.address}{control}",
            *([] if inside else [f"route replace local {proxies} dev {name} src {end.address}"]),
        )
        _ip(*(["-n", inside] if inside else []), "-batch", "-", text="\n".join(lines))


def remove(home: Path, net: IPv4Network) -> list[str]:
    """Remove all namespaces of this lab in which nothing runs, and its route; sentences on those that stay."""
    staying: list[str] = []
    for name in present(home):
        pids = _ip("netns", "pids", name).split()
        if pids:
            staying.append(f"{name} stays: process {', '.join(pids)} runs in it")
        else:
            _ip("netns", "delete", name)
    route = ["ip", "route", "delete", "unreachable", str(net), "metric", _METRIC]
    subprocess.run(route, check=False, capture_output=True, timeout=30)  # absent is as good as removed
    return staying
