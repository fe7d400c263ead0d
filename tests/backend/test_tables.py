"""Every table of the console as its MariaDB has it after all migrations, and what guards it, against a stored text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper

from tests.support.stored_text import compare

STORED = Path(__file__).parent / "tables.sql"


@pytest.mark.skipif(connection.vendor != "mysql", reason="SHOW CREATE TABLE is MariaDB's; make test runs it there")
@pytest.mark.django_db
def test_tables__after_all_migrations__as_stored() -> None:
    with connection.cursor() as cursor:
        compare(STORED, "\n".join([*_tables(cursor), *_triggers(cursor)]))


def _tables(cursor: CursorWrapper) -> Iterator[str]:
    cursor.execute("SHOW TABLES")
    for (name,) in sorted(cursor.fetchall()):
        cursor.execute(f"SHOW CREATE TABLE `{name}`")
        yield _normalized(cursor.fetchone()[1])


def _normalized(statement: str) -> str:
    """Columns in their order; keys and constraints, whose order says nothing, by their names; no counter."""
    first, *parts, last = statement.splitlines()
    columns = [part.rstrip(",") for part in parts if part.startswith("  `")]
    keys = sorted(part.rstrip(",") for part in parts if not part.startswith("  `"))
    return "\n".join([first, ",\n".join([*columns, *keys]), re.sub(r" AUTO_INCREMENT=\d+", "", last), ""])


def _triggers(cursor: CursorWrapper) -> Iterator[str]:
    cursor.execute(
        "SELECT TRIGGER_NAME, ACTION_TIMING, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_STATEMENT "
        "FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() ORDER BY TRIGGER_NAME"
    )
    for name, timing, verb, table, statement in cursor.fetchall():
        yield f"TRIGGER `{name}` {timing} {verb} ON `{table}` {statement}\n"
