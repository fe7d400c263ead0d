"""The console's processes, two of each, every one as if on a host of its own."""

from __future__ import annotations

from pathlib import Path

from deploy.demo import console
from deploy.demo.options import Options
from tests.ha.parts.part import Part

HOSTS = (1, 2)


def options(home: Path, port: int, lab_home: Path) -> Options:
    """As the demo's, with files below `home`."""
    return Options(
        home, "127.0.0.1", port, lab_home, "classic", keep_lab=False, load=False, bare=False, seconds=0, ready_file=None
    )


def settings(chosen: Options, database_url: str, redis_url: str) -> dict[str, str]:
    """Environment of the processes of one host; the lease is that of production."""
    chosen.temporary.mkdir(parents=True, exist_ok=True)
    return console.settings(chosen, redis_url) | {
        "HAWSER_DATABASE_URL": database_url,
        "HAWSER_BEHIND_PROXY": "1",
        "HAWSER_LEASE_S": "15",
        "HAWSER_POLL_INTERVAL_S": "1",
    }


def parts(chosen: Options, env: dict[str, str], number: int) -> dict[str, Part]:
    """`web-1`, `worker-1` and `monitor-1` of the first host, not yet started; the web's port is that of `chosen`."""
    children = console.processes(chosen, env)
    return {
        f"{child.name}-{number}": Part(f"{child.name}-{number}", child.command, chosen.home, child.env)
        for child in children
    }
