"""The console's processes, two of each, every one as if on a host of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from deploy.demo import console
from deploy.demo.options import Options
from deploy.services.net import free_port
from tests.ha.parts.part import Part

COUNT = 2


def options(home: Path, port: int, lab_home: Path) -> Options:
    """As the demo's, with files below `home`."""
    return Options(
        home, "127.0.0.1", port, lab_home, "classic", keep_lab=False, load=False, bare=False, seconds=0, ready_file=None
    )


def settings(chosen: Options, database_url: str, redis_url: str) -> dict[str, str]:
    """Environment of every process; the lease is that of production."""
    chosen.temporary.mkdir(parents=True, exist_ok=True)
    return console.settings(chosen, redis_url) | {
        "HAWSER_DATABASE_URL": database_url,
        "HAWSER_BEHIND_PROXY": "1",
        "HAWSER_LEASE_S": "15",
        "HAWSER_POLL_INTERVAL_S": "1",
    }


def parts(chosen: Options, env: dict[str, str], home: Path) -> tuple[dict[str, Part], list[int]]:
    """`web-1`, `web-2`, and so on, not yet started; the ports of the webs."""
    found: dict[str, Part] = {}
    ports = [free_port() for _ in range(COUNT)]
    for number, port in enumerate(ports, 1):
        for child in console.processes(replace(chosen, port=port), env):
            name = f"{child.name}-{number}"
            found[name] = Part(name, child.command, home, child.env)
    return found, ports
