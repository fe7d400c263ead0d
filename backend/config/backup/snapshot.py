"""One consistent view of the whole database while other processes go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

_BEGIN: Final = {
    # The session's limit for an idle transaction is five seconds, which a slow disk exceeds between two pages.
    "mysql": (
        "SET SESSION idle_transaction_timeout=120",
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    ),
    # Not Django's own transaction, which locks out writers. The first query begins the view.
    "sqlite": ("BEGIN DEFERRED", "SELECT COUNT(*) FROM django_migrations"),
}


@contextmanager
def snapshot() -> Iterator[None]:
    """Every query of this connection sees the database as it is now; nothing can be written meanwhile."""
    with connection.cursor() as cursor:
        for statement in _BEGIN[connection.vendor]:
            cursor.execute(statement)
    try:
        yield
    finally:
        if connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")
