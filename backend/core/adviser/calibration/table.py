"""The table of measurements. Its rows are removed after each one; no other table is written."""

from __future__ import annotations

import re

TABLE = "hawser.calibration"
CREATE_SQL = (
    "CREATE TABLE IF NOT EXISTS hawser.calibration ("
    "token VARCHAR(40) NOT NULL, id INT NOT NULL, written_at DATETIME(6) NOT NULL, payload VARBINARY(1000) NOT NULL, "
    "PRIMARY KEY (token, id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
)
SCHEMA_SQL = "SELECT COUNT(*) AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA='hawser' AND TABLE_NAME='probe'"
"""Whether the probe schema is enabled: it is created with its first table, where an administrator agreed."""
CLEAN_SQL = "DELETE FROM hawser.calibration"
"""Also what a measurement left that was cut off: one goes on at a time."""
_PLAIN = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)


def insert_sql(token: str, number: int, size: int) -> str:
    """One row of a measurement."""
    return (
        "INSERT INTO hawser.calibration (token, id, written_at, payload) "
        f"VALUES ('{_checked(token)}', {int(number)}, UTC_TIMESTAMP(6), REPEAT('x', {int(size)}))"
    )


def newest_sql(token: str) -> str:
    """The newest row that a server shows, its clock before it looked, and the microseconds until it answered."""
    return (
        "SELECT MAX(id) AS id, UTC_TIMESTAMP(6) AS began_at, TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6)) AS took_us "
        f"FROM hawser.calibration WHERE token='{_checked(token)}'"
    )


def written_sql(token: str) -> str:
    """When each row was written, by the clock of the server that wrote it."""
    return f"SELECT id, written_at FROM hawser.calibration WHERE token='{_checked(token)}' ORDER BY id"


def _checked(token: str) -> str:
    if not _PLAIN.fullmatch(token):
        raise ValueError(f"{token!r} cannot stand in a measurement")
    return token
