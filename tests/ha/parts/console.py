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
    temporary = chosen.logs / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    return console.settings(chosen, redis_url) | {
        "HAWSER_DATABASE_URL": database_url,
        "HAWSER_BEHIND_PROXY": "1",
        "HAWSER_LEASE_S": "15",
        "HAWSER_POLL_INTERVAL_S": "1",
        # The load is that of many callers, with one token.
        "HAWSER_CALLS_PER_MINUTE": "1000000",
        "TMPDIR": str(temporary),
    }


def parts(chosen: Options, env: dict[str, str], host: Part) -> list[Part]:
    """`web-1`, `worker-1` and `monitor-1` of `host-1`, not yet started; the web's port is that of `chosen`."""
    number = host.name[-1]
    return [
        Part(f"{child.name}-{number}", child.command, chosen.home, child.env, host)
        for child in console.processes(chosen, env)
    ]
