"""The application's tables in the lab, and why each is there."""

from __future__ import annotations

SCHEMA = "bank"
TABLES = {
    # Keyed: a write applied twice is refused by the server (1062), a lost one leaves a hole.
    "transfers": """
        CREATE TABLE bank.transfers (
          write_id CHAR(32) CHARACTER SET ascii NOT NULL, part SMALLINT NOT NULL,
          account VARCHAR(40) NOT NULL, delta BIGINT NOT NULL, note VARCHAR(200) NOT NULL,
          PRIMARY KEY (write_id, part))""",
    # No unique key: a write applied twice is accepted and shows as a second row.
    "entries": """
        CREATE TABLE bank.entries (
          write_id CHAR(32) CHARACTER SET ascii NOT NULL, part SMALLINT NOT NULL,
          payload VARCHAR(200) NOT NULL, KEY (write_id))""",
    # Updated in place: a lost or doubled update leaves a wrong sum.
    "balances": """
        CREATE TABLE bank.balances (
          account VARCHAR(40) NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, changes BIGINT NOT NULL)""",
    # One row a verification and site; its arrival everywhere is the settle point.
    "markers": """
        CREATE TABLE bank.markers (
          marker CHAR(32) CHARACTER SET ascii NOT NULL, site CHAR(1) NOT NULL, PRIMARY KEY (marker, site))""",
}

WRITE_THROUGH = (
    "CREATE DEFINER=root@localhost SQL SECURITY DEFINER VIEW hawser.write_through AS SELECT GRANTEE, PRIVILEGE_TYPE "
    "FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE IN ('SUPER', 'READ_ONLY ADMIN')"
)
"""What an administrator creates once, so that the console can name who could write through a fence."""


def tables_sql() -> list[str]:
    """Statements that create the schema and its tables, on any family of servers."""
    statements = [" ".join(text.split()) + " ENGINE=InnoDB" for text in TABLES.values()]
    return [f"CREATE DATABASE {SCHEMA} CHARACTER SET utf8mb4", *statements, "CREATE DATABASE hawser"]


def schema_sql() -> list[str]:
    """The same, and what an administrator of MariaDB adds for the console."""
    return [*tables_sql(), WRITE_THROUGH]
