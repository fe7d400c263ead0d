"""Whether the console's own database encrypts what it writes to its disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.backends.utils import CursorWrapper

ENCRYPTED: Final[Mapping[str, frozenset[str]]] = {
    "innodb_encrypt_tables": frozenset({"ON", "FORCE"}),
    "innodb_encrypt_log": frozenset({"ON"}),
    "encrypt_tmp_files": frozenset({"ON"}),
    "innodb_encrypt_temporary_tables": frozenset({"ON"}),
}
"""Variables of MariaDB, and the values with which rows, redo log, sorted rows and temporary tables are encrypted."""


def values(cursor: CursorWrapper) -> dict[str, str]:
    """What the server says of each; one that it does not have is missing. Any account may ask."""
    cursor.execute(f"SHOW GLOBAL VARIABLES WHERE variable_name IN ({', '.join(['%s'] * len(ENCRYPTED))})", [*ENCRYPTED])
    return {str(name): str(value).upper() for name, value in cursor.fetchall()}


def in_clear(found: Mapping[str, str]) -> list[str]:
    """Variables whose value leaves data in clear, `name=value`; one that is missing counts as `unknown`."""
    return [
        f"{name}={found.get(name, 'unknown')}" for name, wanted in ENCRYPTED.items() if found.get(name) not in wanted
    ]
