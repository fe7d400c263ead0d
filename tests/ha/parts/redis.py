"""Redis with two replicas, and three Sentinels that choose the master."""

from __future__ import annotations

import secrets
from pathlib import Path

import redis

from deploy.services.net import LOOPBACK, free_port
from deploy.services.redis import redis_config
from tests.ha.parts import samples
from tests.ha.parts.part import Part

COUNT = 3


class Redises:
    """Three servers, `redis-1` the master in the beginning, and `sentinel-1` to `sentinel-3`."""

    def __init__(self, home: Path) -> None:
        self.home, self.password = home, secrets.token_hex(16)
        self.ports = [free_port() for _ in range(COUNT)]
        self.parts: dict[str, Part] = {}

    def start(self) -> None:
        """All six."""
        for number in range(1, COUNT + 1):
            self._add(f"redis-{number}", ["redis-server", str(self._config(number))])
        for number in range(1, COUNT + 1):
            config = samples.sentinel(self.home, number, free_port(), self.ports[0], self.password)
            self._add(f"sentinel-{number}", ["redis-server", str(config), "--sentinel"])

    def _add(self, name: str, command: list[str]) -> None:
        self.parts[name] = Part(name, command, self.home, is_light=True).start()

    def _config(self, number: int) -> Path:
        folder = self.home / f"redis-{number}"
        folder.mkdir()
        config = folder / "redis.conf"
        config.touch(mode=0o600)
        text = redis_config(folder, self.ports[number - 1], self.password) + f"masterauth {self.password}\n"
        text += f"replicaof {LOOPBACK} {self.ports[0]}\n" if number > 1 else ""
        config.write_text(text)
        return config

    def master(self) -> str:
        """The name of the server that says it is the master."""
        for number, port in enumerate(self.ports, 1):
            with redis.Redis(port=port, password=self.password, socket_timeout=2) as asked:
                if asked.info("replication")["role"] == "master":
                    return f"redis-{number}"
        raise LookupError("no server says it is the master")
