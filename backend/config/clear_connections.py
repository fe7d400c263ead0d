"""Which of the console's own connections cross a network without TLS."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ClearConnection:
    """A setting that leads to another host in clear text, and what to write instead."""

    setting: str
    host: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.setting} leads to {self.host} without TLS: passwords and data cross the network in clear text."


def find(database: Mapping[str, Any], redis_url: str) -> list[ClearConnection]:
    """Those of database and Redis that lead to another host without TLS."""
    redis = urlsplit(redis_url)
    is_database_clear = "ssl" not in database["OPTIONS"] and "unix_socket" not in database["OPTIONS"]
    clear = [
        ClearConnection("HAWSER_DATABASE_URL", database.get("HOST", ""), "add ?ssl_ca=/path/ca.pem")
        if is_database_clear
        else None,
        ClearConnection("HAWSER_REDIS_URL", redis.hostname or "", "write rediss://")
        if redis.scheme == "redis"
        else None,
    ]
    return [one for one in clear if one is not None and one.host and not _is_loopback(one.host)]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
