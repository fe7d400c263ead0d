"""Decides which statements may be sent: reading ones on any session, a few changing kinds on a writer's.

The check is a second barrier besides the server's grants, a read-only transaction mode and connections that take one
statement at a time. Only a poll's take several: reading ones of its own text, each checked here.
"""

from __future__ import annotations

import re

from backend.core.orphans.schema_change import ChangeKind
from backend.core.orphans.schema_changes.parse import parse_schema_change
from backend.core.orphans.schema_changes.tokens import UnsupportedChangeError

_READING = re.compile(
    r"\s*(SHOW|SELECT|CHECKSUM\s+TABLE|SET\s+STATEMENT\s+(max_statement_time\s*=\s*[0-9.]+|wsrep_sync_wait\s*=\s*1)\s+FOR\s+SELECT)\s",
    re.IGNORECASE,
)
_UNSAFE = re.compile(
    r";|/\*|\*/|#|--|\bINTO\b|\bFOR\s+UPDATE\b|\bLOCK\s+IN\b"
    r"|\b(GET_LOCK|LOAD_FILE|NEXTVAL|SETVAL|BENCHMARK|SYS_EXEC)\b",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\s*(STOP\s+SLAVE|START\s+SLAVE|CHANGE\s+MASTER|RESET\s+SLAVE|SET\s+GLOBAL|SET\s+SESSION"
    r"|CREATE\s+(DATABASE|SCHEMA)\s+IF\s+NOT\s+EXISTS\s+`?hawser`?(\s|$)"
    r"|CREATE\s+TABLE\s+IF\s+NOT\s+EXISTS\s+`?hawser`?\."
    r"|(INSERT|REPLACE)\s+INTO\s+`?hawser`?\.|DELETE\s+FROM\s+`?hawser`?\.|UPDATE\s+`?hawser`?\.)",
    re.IGNORECASE,
)
_GTID_POSITION = re.compile(
    r"BEGIN NOT ATOMIC\n"
    r"  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SET GLOBAL gtid_strict_mode=ON; RESIGNAL; END;\n"
    r"  SET GLOBAL gtid_strict_mode=OFF;\n"
    r"  SET GLOBAL gtid_slave_pos='[0-9,-]*';\n"
    r"  SET GLOBAL gtid_strict_mode=ON;\n"
    r"END"
)
"""The only compound statement of a run, in full: strict mode refuses the position that circular replication needs."""
_QUOTED = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"\\]|\"\"|\\.)*\"|`(?:[^`]|``)*`", re.DOTALL)
_ROW_CHANGE = re.compile(
    r"(INSERT INTO|UPDATE|DELETE FROM) `(?!(mysql|information_schema|performance_schema|sys|hawser)`)(?:[^`]|``)+`\.`",
    re.IGNORECASE,
)


_TABLE = r"`(?!(?:mysql|information_schema|performance_schema|sys|hawser)`)(?:[^`]|``)+`\.`(?:[^`]|``)+`"
_DROPPED = r"DROP (?:INDEX|COLUMN) `(?:[^`]|``)+`"
_TAKEN_BACK = re.compile(
    rf"DROP TABLE /\* hawser undo \*/ {_TABLE}|ALTER TABLE {_TABLE} {_DROPPED}(?:, {_DROPPED})* /\* hawser undo \*/"
)


_MEASUREMENT = re.compile(
    r"INSERT INTO hawser\.calibration \(token, id, written_at, payload\) "
    r"VALUES \('[a-z0-9_]{1,40}', [0-9]{1,9}, UTC_TIMESTAMP\(6\), REPEAT\('x', [0-9]{1,4}\)\)",
    re.ASCII,
)


_HASH = r"mysql_native_password USING '\{\{secret:[a-z]{1,16}_(?:old|new)\}\}'"
_ACCOUNT = r"'[^'\\\x00-\x1f]{1,128}'@'[^'\\\x00-\x1f]{1,255}'"
_PASSWORD = re.compile(rf"ALTER USER IF EXISTS {_ACCOUNT} IDENTIFIED VIA {_HASH}(?: OR {_HASH})?")
"""No password is in it, only marks that are filled with hashes, and no other part of an account."""
_CHANNEL = r"(?: '(?:[^'\\]|''|\\.)*')?"
_CHANNEL_PASSWORD = re.compile(
    rf"BEGIN NOT ATOMIC\n  STOP SLAVE({_CHANNEL});\n"
    r"  CHANGE MASTER\1 TO MASTER_PASSWORD='\{\{secret:replication_new\}\}';\n"
    r"  START SLAVE\1;\nEND"
)


_PLAIN_TEXT = r"'[^'\"\\\x00-\x1f]{0,255}'"
_EVENT_NAME = r"`(?:[^`'\"\\\x00-\x1f]|``)+`"
_EVENT = re.compile(
    rf"ALTER DEFINER={_PLAIN_TEXT}@{_PLAIN_TEXT} EVENT "
    rf"`(?!(?:mysql|information_schema|performance_schema|sys)`)(?:[^`'\"\\\x00-\x1f]|``)+`\.{_EVENT_NAME} "
    r"(?:ENABLE|DISABLE ON SLAVE)"
)
"""An event enabled on one node, or left to another one; no schedule, body or name of it is changed."""


def _bare(sql: str) -> str:
    """The statement without the contents of its quoted texts and names."""
    return _QUOTED.sub("''", sql)


def is_reading(sql: str) -> bool:
    """Whether a statement only reads."""
    return bool(_READING.match(sql)) and not _UNSAFE.search(_bare(sql))


def is_changing(sql: str) -> bool:
    """Whether a statement is of a kind a run may send."""
    if any(whole.fullmatch(sql) for whole in (_GTID_POSITION, _PASSWORD, _CHANNEL_PASSWORD, _EVENT)):
        return True
    bare = _bare(sql)
    return bool(_CHANGING.match(sql)) and ";" not in bare and "/*" not in bare


def is_measurement(sql: str) -> bool:
    """Whether a statement writes one row of a measurement, in full; nothing outside the probe schema is one."""
    return bool(_MEASUREMENT.fullmatch(sql))


def is_schema_change(sql: str, default_schema: str) -> bool:
    """Whether a statement adds or removes a table definition, as replay and undo of orphans write them.

    Only `apply_schema_change` uses this; `is_changing` allows no such statement.
    """
    if _TAKEN_BACK.fullmatch(sql):
        return True
    try:
        return parse_schema_change(sql, default_schema).kind is not ChangeKind.DROP
    except UnsupportedChangeError:
        return False


def is_row_change(sql: str) -> bool:
    """Whether a statement changes rows of one application table, as replay and undo of orphans write them.

    Only `apply_transaction` uses this; `is_changing` allows no such statement.
    """
    bare = _bare(sql)
    return bool(_ROW_CHANGE.match(sql)) and not _UNSAFE.search(bare.replace("INSERT INTO", "INSERT", 1))
