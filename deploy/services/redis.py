"""A private Redis on a random loopback port with a random password, gone with its owner."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from deploy.services.net import LOOPBACK, free_port, port_open
from deploy.services.process import Child, ServiceError, wait_until


@dataclass(frozen=True)
class Redis:
    """A running Redis: its process and the address for clients (the password is inside)."""

    child: Child
    url: str
    port: int


def redis_config(home: Path, port: int, password: str) -> str:
    """Nothing is kept on disk: Redis is a doorbell, the truth is in the console's database."""
    return (
        f"bind {LOOPBACK}\nport {port}\nrequirepass {password}\ndir {home}\n"
        "save ''\nappendonly no\nmaxmemory 128mb\nmaxmemory-policy noeviction\ndaemonize no\n"
    ).replace("''", '""')


def start_redis(home: Path, log: Path) -> Redis:
    """Starts Redis with its files in `home` and waits until it answers."""
    home.mkdir(parents=True, exist_ok=True)
    port, password = free_port(), secrets.token_urlsafe(24)
    config = home / "redis.conf"
    config.touch(mode=0o600)
    config.write_text(redis_config(home, port, password))
    child = Child("redis", ["redis-server", str(config)], log, grace_s=5).start()
    if not wait_until(lambda: port_open(port), 60, child):
        child.stop()
        raise ServiceError(f"redis-server did not come up:\n{child.tail()}")
    return Redis(child, f"redis://:{password}@{LOOPBACK}:{port}/0", port)
