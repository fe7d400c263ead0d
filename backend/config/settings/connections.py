"""Outside of demo and debug the console does not start with passwords in clear text on a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from backend.config import clear_connections, env
from backend.config.settings.database import DATABASES
from backend.config.settings.tasks import HAWSER_REDIS_URL


def refuse_clear(database: Mapping[str, Any], redis_url: str, *, allowed: bool) -> None:
    """Raise where a connection leaves the host without TLS and no setting says that it may."""
    found = [] if allowed else clear_connections.find(database, redis_url)
    if found:
        faults = [f"{one} Give the server a certificate, then {one.remedy}." for one in found]
        way = "Or set HAWSER_CLEAR_CONNECTIONS=1, which check --deploy warns of (docs/how-to/install.md#tls)."
        raise ImproperlyConfigured("\n  ".join([*faults, way]))


refuse_clear(DATABASES["default"], HAWSER_REDIS_URL, allowed=env.RELAXED or env.flag("HAWSER_CLEAR_CONNECTIONS"))
