"""Every table of a MariaDB schema and what guards it, as a text that two schemas are compared by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

STORED: Final = Path(__file__).parents[1] / "backend" / "tables.sql"
"""The text of the console's own schema."""


def tables_and_triggers(cursor: Any) -> str:
    """The text, from a cursor in the schema."""
    return "\n".join([*_tables(cursor), *_triggers(cursor)])


def _tables(cursor: Any) -> Iterator[str]:
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


def _triggers(cursor: Any) -> Iterator[str]:
    cursor.execute(
        "SELECT TRIGGER_NAME, ACTION_TIMING, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_STATEMENT "
        "FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() ORDER BY TRIGGER_NAME"
    )
    for name, timing, verb, table, statement in cursor.fetchall():
        yield f"TRIGGER `{name}` {timing} {verb} ON `{table}` {statement}\n"
