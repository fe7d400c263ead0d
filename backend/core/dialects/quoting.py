"""Quotes typed parts as SQL text. A part that does not have its form is refused, never repaired.

Backslash and quote are always refused in hosts, users and the binlog's files: their meaning depends
on the session's `sql_mode`, and no legitimate value contains one. Connection names, and the relay logs named
after them, may contain any: they are escaped for a session with backslash escapes, which every session of the
console has and, unless NO_BACKSLASH_ESCAPES was set, an operator's session.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from backend.core.connection_names import name_fault
from backend.core.dialects.base import DialectError
from backend.core.positions import DUMP_OFFSETS

_HOST = re.compile(r"[A-Za-z0-9_:]([A-Za-z0-9_.:\-]{0,251}[A-Za-z0-9_.:])?")
_LOG_FILE = re.compile(r"[A-Za-z0-9_.\-]{1,200}\.[0-9]{6,10}")
_RELAY_FILE = re.compile(r"[^/\x00-\x1f]{1,248}\.[0-9]{6,10}")
_MARK = re.compile(r"\{\{(forward|reverse)\.(file|offset)\}\}")
_GTID_MARK = re.compile(r"\{\{(forward|reverse)\.gtid\}\}")
_GTIDS = re.compile(r"(\d{1,10}-\d{1,10}-\d{1,20}(,\d{1,10}-\d{1,10}-\d{1,20})*)?")
_SECRET = re.compile(r"\{\{secret:[a-z_]{1,32}\}\}")
_DECIMAL = re.compile(r"[0-9]{1,7}(\.[0-9]{1,3})?")
_PLAIN_LIMIT = 255


def channel(name: str) -> str:
    """` 'name'` with its leading blank, or nothing for the default connection."""
    fault = name_fault(name)
    if fault is not None:
        raise DialectError(f"{name!r} is not a channel name. {fault}")
    return shown_channel(name)


def for_channel(name: str) -> str:
    """` FOR CHANNEL 'name'` with its leading blank; the default channel is named, too: without one, all are meant."""
    return " FOR CHANNEL" + (channel(name) or " ''")


def shown_channel(name: str) -> str:
    """The same for a sentence: for any name that a server shows, also one that a plan would refuse."""
    return f" {_literal(name)}" if name else ""


def _literal(text: str) -> str:
    """The text quoted, so that it neither ends its literal nor is taken for a mark that is filled in later."""
    escaped = text.replace("\\", "\\\\").replace("'", "''").replace("{", "\\{")
    return f"'{escaped}'"


def host(value: str) -> str:
    """A host name or address, quoted."""
    if not _HOST.fullmatch(value):
        raise DialectError(f"{value!r} is not a host")
    return f"'{value}'"


def log_file(value: str) -> str:
    """A log file name or its mark, quoted."""
    if not (_LOG_FILE.fullmatch(value) or _MARK.fullmatch(value)):
        raise DialectError(f"{value!r} is not the name of a log file")
    return f"'{value}'"


def relay_file(value: str) -> str:
    """The name of a relay log, quoted: the server writes other letters of the channel's name as @002d."""
    if not _RELAY_FILE.fullmatch(value):
        raise DialectError(f"{value!r} is not the name of a relay log")
    return _literal(value)


def gtids(value: str) -> str:
    """A MariaDB GTID position (empty: none) or its mark, quoted."""
    if not (_GTIDS.fullmatch(value) or _GTID_MARK.fullmatch(value)):
        raise DialectError(f"{value!r} is not a GTID position")
    return f"'{value}'"


def plain(value: str, what: str) -> str:
    """A short text without control characters, quotes, backslashes or the begin of a mark, quoted."""
    unsafe = "{{" in value or any(c in "'\"\\" or not c.isprintable() for c in value)
    if unsafe or len(value) > _PLAIN_LIMIT:
        raise DialectError(f"{what} has characters that are not allowed in a statement")
    return f"'{value}'"


def secret_placeholder(value: str) -> str:
    """The mark of a secret, quoted; a password itself never enters a statement text."""
    if not _SECRET.fullmatch(value):
        raise DialectError("a password must be written as a {{secret:NAME}} mark")
    return f"'{value}'"


def number(value: int | str, what: str, *, low: int = 0, high: int = 2**63 - 1) -> str:
    """An integer within bounds, or the mark of an offset."""
    if isinstance(value, str):
        if not _MARK.fullmatch(value):
            raise DialectError(f"{what} is not a number")
        return value
    if isinstance(value, bool) or not low <= value <= high:
        raise DialectError(f"{what} {value} is out of bounds")
    return str(value)


def dump_offset(value: int | str) -> str:
    """An offset at which a replica can ask for a log, or its mark."""
    return number(value, "offset", low=4, high=DUMP_OFFSETS - 1)


def decimal(value: str, what: str) -> str:
    """A number with up to three decimals, as the server shows it."""
    if not _DECIMAL.fullmatch(value):
        raise DialectError(f"{what} {value!r} is not a number")
    return value


def id_list(values: Iterable[int], what: str) -> str:
    """`(11,12,13)`, also when empty: an empty list clears the setting."""
    return "(" + ",".join(number(v, what, high=2**32 - 1) for v in values) + ")"


def secret_literal(value: str) -> str:
    """The inside of a quoted literal for a session whose sql_mode has backslash escapes.

    Line breaks and NUL are refused: master.info is a file of lines.
    """
    if any(not c.isprintable() for c in value):
        raise DialectError("a password must not contain control characters")
    return value.replace("\\", "\\\\").replace("'", "''")
