"""The console's own services. A webhook never leads to them, whatever networks the settings allow.

A signed POST with a body that an event determines must not reach the console's database, Redis or page.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings

from backend.common.outgoing.resolving import Address, resolve, unmapped

_PORTS = {"http": 80, "https": 443, "redis": 6379, "rediss": 6379}
_DATABASE_PORT = 3306


def is_own_part(address: Address, port: int) -> bool:
    """Whether one of the console's services listens there; for a service on loopback every loopback address counts."""
    address = unmapped(address)
    for host, own_port in own_parts():
        if own_port != port:
            continue
        addresses = resolve(host)
        if address in addresses or (address.is_loopback and any(one.is_loopback for one in addresses)):
            return True
    return False


def own_parts() -> Iterator[tuple[str, int]]:
    """Host and port of each service, as the settings name them."""
    yield from _of_url(settings.HAWSER_REDIS_URL)
    yield from _database()
    for url in (*settings.CSRF_TRUSTED_ORIGINS, *(f"http://{one}" for one in settings.HAWSER_WEB_ADDRESSES)):
        yield from _of_url(url)


def _database() -> Iterator[tuple[str, int]]:
    database = settings.DATABASES["default"]
    if database.get("HOST"):
        yield str(database["HOST"]), int(database.get("PORT") or _DATABASE_PORT)


def _of_url(url: str) -> Iterator[tuple[str, int]]:
    parts = urlsplit(url)
    port = parts.port or _PORTS.get(parts.scheme)
    if parts.hostname and port:
        yield parts.hostname, port
