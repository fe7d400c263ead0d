"""The schema that a restore writes to: empty, or left by a restore that was cut off, and used by no process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models.functions import Now
from django.db.utils import ConnectionHandler

from backend.common import unfinished_restore
from backend.common.models import ProcessHeartbeat
from backend.config.backup.errors import BackupError
from backend.core.plural import pluralize

ALIVE: Final = timedelta(seconds=90)
"""A process whose heartbeat is younger is running; the slowest writes one every half minute."""
_MOST_NAMED: Final = 8
_SESSIONS: Final = (
    "SELECT USER, HOST FROM information_schema.PROCESSLIST WHERE DB = %s AND ID <> CONNECTION_ID() ORDER BY ID"
)


def check_target() -> str:
    """Refuse a schema that is in use or not empty; returns the archive whose cut-off restore left tables there."""
    _lock()
    tables = connection.introspection.table_names()
    refuse_processes([*_heartbeats(tables), *_sessions()])
    left_by = unfinished_restore.unfinished_archive() if "django_migrations" in tables else ""
    if tables and not left_by:
        raise BackupError(f"The schema is not empty. It has {_what_is_there(tables)}. Restore into an empty one")
    return left_by


def processes_since_start() -> list[str]:
    """Processes that wrote a heartbeat into the restored tables: the archive has none."""
    return _heartbeats(["common_processheartbeat"])


def refuse_processes(found: list[str]) -> None:
    """Refuse if a process of the console works on this schema."""
    if found:
        raise BackupError(f"Processes of the console use this schema: {', '.join(found)}. Stop all of them first")


def drop_tables() -> None:
    """Drop what a cut-off restore left; its mark goes last."""
    tables = connection.introspection.table_names()
    ordered = sorted(tables, key=lambda name: (name == "django_migrations", name))
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for table in ordered:
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}")


def _lock() -> None:
    """One restore at a time; the server releases the lock when this session ends."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT GET_LOCK(CONCAT('hawser_restore.', DATABASE()), 0)")
        if cursor.fetchone()[0] != 1:
            raise BackupError("Another restore into this schema is running")


def _heartbeats(tables: list[str]) -> list[str]:
    if "common_processheartbeat" not in tables:
        return []
    rows = ProcessHeartbeat.objects.exclude(kind="job").filter(seen_at__gt=Now() - ALIVE)
    return [f"{kind} {name}" for kind, name in rows.order_by("kind", "instance").values_list("kind", "instance")]


def _sessions() -> Iterator[str]:
    """Sessions in this schema, as far as this account and the run-time account see them."""
    if connection.vendor == "sqlite":
        return
    yield from _sessions_seen_by(connection)
    run_time: Mapping[str, Any] = settings.HAWSER_RUN_TIME_DATABASE
    if run_time.get("USER") == connection.settings_dict["USER"]:
        return
    other = ConnectionHandler({"default": {**run_time, "NAME": ""}})["default"]
    try:
        yield from _sessions_seen_by(other)
    except DatabaseError:
        return  # the account does not exist yet, so no process uses it
    finally:
        other.close()


def _sessions_seen_by(session: Any) -> Iterator[str]:
    with session.cursor() as cursor:
        cursor.execute(_SESSIONS, [connection.settings_dict["NAME"]])
        yield from (f"session of {user} from {host}" for user, host in cursor.fetchall())


def _what_is_there(tables: list[str]) -> str:
    filled = [f"{name} ({pluralize(count, 'row')})" for name in tables if (count := _count(name))]
    more = len(filled) - _MOST_NAMED
    named = ", ".join(filled[:_MOST_NAMED]) or "none with rows"
    return f"{pluralize(len(tables), 'table')}: {named}{f' and {more} more' if more > 0 else ''}"


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - a quoted name
        return int(cursor.fetchone()[0])
