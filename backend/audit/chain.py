"""The arithmetic of the chain: SHA-256 over RFC 8785 canonical JSON, the hash before it included.

Nothing here reads or writes; anybody can verify an export with these twenty lines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import rfc8785

GENESIS: Final = "0" * 64
FIELDS: Final = (
    "seq",
    "at",
    "actor",
    "action",
    "link_id",
    "run_id",
    "target",
    "reason",
    "request_id",
    "source_ip",
    "facts",
    "prev_hash",
)
_EXACT = 2**53


def hash_of(record: Mapping[str, Any]) -> str:
    """The hash of a record given as plain data (`at` as text)."""
    return hashlib.sha256(rfc8785.dumps({name: record[name] for name in FIELDS})).hexdigest()


def first_bad(records: Iterable[Mapping[str, Any]]) -> tuple[int | None, int, str]:
    """Walk records from the first: (seq of the first bad one or None, last seq, last hash)."""
    seq, last = 0, GENESIS
    for record in records:
        if record["seq"] != seq + 1 or record["prev_hash"] != last or record["hash"] != hash_of(record):
            return seq + 1, seq, last
        seq, last = record["seq"], record["hash"]
    return None, seq, last


def time_text(at: datetime) -> str:
    """A moment in the one form that is hashed and shown: UTC, microseconds, Z."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def plain(value: Any) -> Any:
    """Facts as JSON that reads back the same everywhere: large numbers and odd types as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int):
        return int(value) if abs(value) < _EXACT else str(value)
    if isinstance(value, float):
        return value if abs(value) < _EXACT else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)
