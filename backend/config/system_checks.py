"""`manage.py check` warns of unknown names and clear connections; wrong values already prevent the start."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.backends.utils import CursorWrapper

from backend.config import clear_connections as clear_connections_of
from backend.config import data_at_rest, setting_report

_ENCODING = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"


@checks.register()
def check_environment(**_: Any) -> Sequence[checks.CheckMessage]:
    """Unknown names, and settings that are given twice."""
    unknown = [
        checks.Warning(
            f"{name} is set in the environment but is not a setting of Hawser.",
            hint=f"Did you mean {nearest}?" if nearest else "`manage.py hawser_settings` lists all names.",
            id="hawser.W001",
        )
        for name, nearest in setting_report.unknown_names(os.environ).items()
    ]
    twice = [
        checks.Warning(
            f"{name} and {name}_FILE are both set.", hint=f"The file takes precedence. Unset {name}.", id="hawser.W002"
        )
        for name in setting_report.set_twice(os.environ)
    ]
    return [*unknown, *twice]


@checks.register(checks.Tags.security, deploy=True)
def check_clear_connections(**_: Any) -> Sequence[checks.CheckMessage]:
    """Warn where a password and the console's data cross a network in clear text."""
    return clear_connections(settings.DATABASES["default"], settings.HAWSER_REDIS_URL)


def clear_connections(database: Mapping[str, Any], redis_url: str) -> list[checks.CheckMessage]:
    """A warning for each of the two that leads to another host without TLS."""
    return [
        checks.Warning(
            str(one),
            hint=f"Give the server a certificate, then {one.remedy} (docs/how-to/install.md).",
            id="hawser.W003",
        )
        for one in clear_connections_of.find(database, redis_url)
    ]


@checks.register(checks.Tags.security, deploy=True)
def check_allowed_networks(**_: Any) -> Sequence[checks.CheckMessage]:
    """Warn where the console may connect to any address that a user names."""
    names = ("HAWSER_ALLOWED_NETWORKS", "HAWSER_HOOK_NETWORKS")
    return networks_without_a_list({name: getattr(settings, name) for name in names})


def networks_without_a_list(networks: Mapping[str, Sequence[str]]) -> list[checks.CheckMessage]:
    """A warning for each setting that lists no network."""
    return [
        checks.Warning(
            f"{name} is empty: the console connects to any address that is not always forbidden.",
            hint="List the networks of your nodes, and those of receivers (docs/reference/configuration.md).",
            id="hawser.W004",
        )
        for name, listed in networks.items()
        if not listed
    ]


@checks.register(checks.Tags.security, deploy=True)
def check_second_factors(**_: Any) -> Sequence[checks.CheckMessage]:
    """Warn where a password alone administers the console."""
    if settings.HAWSER_SECOND_FACTOR_ROLES:
        return []
    return [
        checks.Warning(
            "HAWSER_SECOND_FACTOR_ROLES is off: a password alone administers the console.",
            hint="Leave it out, which means admin, or write approver,admin (docs/how-to/second-factors.md).",
            id="hawser.W005",
        )
    ]


@checks.register(checks.Tags.database, deploy=True)
def check_data_at_rest(databases: Sequence[str] | None = None, **_: Any) -> Sequence[checks.CheckMessage]:
    """Warn where names, addresses and rows of applications lie in clear on the disk of the console's database."""
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor != "sqlite":
            with connections[alias].cursor() as cursor:
                found += unencrypted(data_at_rest.values(cursor))
    return found


def unencrypted(values: Mapping[str, str]) -> list[checks.CheckMessage]:
    """A warning that names the variables with which the server does not encrypt."""
    clear = data_at_rest.in_clear(values)
    if not clear:
        return []
    return [
        checks.Warning(
            f"The console's database does not encrypt all that it writes to its disk: {', '.join(clear)}.",
            hint="Set them (docs/how-to/install.md#data-at-rest). With an encrypted volume this may stay.",
            id="hawser.W006",
        )
    ]


@checks.register(checks.Tags.database)
def check_database_encoding(databases: Sequence[str] | None = None, **_: Any) -> Sequence[checks.CheckMessage]:
    """Refuse a database that cannot hold every character: a run whose outcome cannot be stored needs an operator.

    MariaDB's own default was latin1 until 11.5, so that `CREATE DATABASE` alone makes such a database.
    """
    faults: list[checks.CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor != "sqlite":
            with connections[alias].cursor() as cursor:
                faults += encoding_faults(cursor)
    return faults


def encoding_faults(cursor: CursorWrapper) -> list[checks.CheckMessage]:
    """What in the current schema has another character set than utf8mb4: itself, and its tables."""
    cursor.execute("SELECT schema_name, default_character_set_name FROM information_schema.schemata"
                   " WHERE schema_name = DATABASE()")  # fmt: skip
    name, own = cursor.fetchone()
    cursor.execute("SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = DATABASE()"
                   " AND character_set_name NOT IN ('utf8mb4', 'ascii') ORDER BY table_name")  # fmt: skip
    tables = [str(table) for (table,) in cursor.fetchall()]
    if own == "utf8mb4" and not tables:
        return []
    statements = [
        f"ALTER DATABASE `{name}` {_ENCODING}",
        *(f"ALTER TABLE `{t}` CONVERT TO {_ENCODING}" for t in tables),
    ]
    return [
        checks.Error(
            f"The console's database {name} has the character set {own}, {len(tables)} of its tables another one than"
            " utf8mb4. It could not store every sentence.",
            hint="Back it up, then run: SET foreign_key_checks=0; " + "; ".join(statements) + ";",
            id="hawser.E001",
        )
    ]
