"""The console's own database: SQLite for the demo, MariaDB in production, never a managed cluster."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from backend.config import env


def database_from_url(url: str) -> dict[str, Any]:
    """Django's settings for `sqlite:///path` or `mysql://user:password@host:port/name`."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(unquote(parts.path.removeprefix("/")) or ":memory:")
    return _mariadb(url)


def _sqlite(path: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # Tests use threads, so their database must be a file too.
        "TEST": {"NAME": None if path == ":memory:" else f"{path}.test"},
        "OPTIONS": {
            "timeout": 20,
            # A transaction that starts as a reader and then writes cannot wait for the lock.
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }


_MARIADB_SESSION = (
    # Leases compare the database's own clock with stored UTC values.
    "SET time_zone='+00:00', sql_mode='STRICT_ALL_TABLES', innodb_lock_wait_timeout=8, "
    # The locks of a process that was stopped inside a transaction are released before a run stops waiting for them.
    "idle_transaction_timeout=5"
)


def _mariadb(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    options: dict[str, Any] = {
        "charset": "utf8mb4",
        "connect_timeout": 3,
        "read_timeout": 10,
        "write_timeout": 10,
        "isolation_level": "read committed",
        "init_command": _MARIADB_SESSION,
    }
    if "unix_socket" in query:
        options["unix_socket"] = query["unix_socket"]
    if "ssl_ca" in query:
        # Anything below VERIFY_IDENTITY sends the login to whatever server answers.
        files = {"ca": "ssl_ca", "cert": "ssl_cert", "key": "ssl_key"}
        options["ssl_mode"] = "VERIFY_IDENTITY"
        options["ssl"] = {name: query[given] for name, given in files.items() if given in query}
    return {
        "ENGINE": "django.db.backends.mysql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or 3306),
        "TEST": {"CHARSET": "utf8mb4", "COLLATION": "utf8mb4_bin"},
        "OPTIONS": options,
    }


_SCHEMA_COMMANDS = (["migrate"], ["hawser_database_grants"], ["hawser_audit", "restore-triggers"], ["hawser_restore"])
"""Commands that change the schema, its triggers or the privileges on it."""


def chosen_url(arguments: Sequence[str], *, run_time: str, schema: str) -> str:
    """The run-time account's URL; for commands on the schema that of the account that may change it, if it is set."""
    is_on_schema = any(list(arguments[1 : 1 + len(command)]) == command for command in _SCHEMA_COMMANDS)
    return schema if is_on_schema and schema else run_time


_RUN_TIME, _SCHEMA = env.text("HAWSER_DATABASE_URL"), env.text("HAWSER_MIGRATE_DATABASE_URL")
DATABASES = {"default": database_from_url(chosen_url(sys.argv, run_time=_RUN_TIME, schema=_SCHEMA))}
# Under another account than that of a command on the schema.
HAWSER_RUN_TIME_DATABASE = database_from_url(_RUN_TIME)
# The account to which `hawser_database_grants` grants.
HAWSER_DATABASE_USER = HAWSER_RUN_TIME_DATABASE.get("USER", "")
