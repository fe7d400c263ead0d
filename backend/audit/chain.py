"""The chain: HMAC-SHA256 over RFC 8785 canonical JSON that includes the previous hash.

Records from before the audit key have a plain SHA-256 and a blank `key_id`. This module reads and writes nothing; with
the key it can verify an export.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import rfc8785

from backend.audit import damage
from backend.audit.damage import Damage

Record = Mapping[str, Any]
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
KEYED_FIELDS: Final = (*FIELDS, "key_id")
_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """How far the chain was verified; `is_keyed` once a record with a key was passed."""

    seq: int = 0
    hash: str = GENESIS
    is_keyed: bool = False


START: Final = ChainEnd()


def hash_of(record: Record, secret: bytes | None) -> str:
    """The hash of a record given as plain data (`at` as text); without a secret that of an old, unkeyed record."""
    if secret is None:
        return hashlib.sha256(rfc8785.dumps({name: record[name] for name in FIELDS})).hexdigest()
    content = rfc8785.dumps({name: record[name] for name in KEYED_FIELDS})
    return hmac.new(secret, content, hashlib.sha256).hexdigest()


def walk(
    records: Iterable[Record],
    secrets: Mapping[str, bytes],
    start: ChainEnd = START,
    *,
    head_hash: str = "",
    limit: int | None = None,
) -> tuple[Damage | None, ChainEnd]:
    """Verify records from `start`, up to `limit`: the first damage, if any, and the last valid record.

    `secrets` are audit keys by their id; `head_hash` is the hash of the last record according to a genuine head.
    """
    end = start
    for record, following in _with_following(records):
        if limit is not None and end.seq - start.seq >= limit:
            break
        found = _damage(record, end, secrets) or _hash_damage(record, following, secrets, head_hash)
        if found is None and record["prev_hash"] != end.hash:
            found = damage.past_rewritten(record["seq"])
        if found is not None:
            return found, end
        end = ChainEnd(record["seq"], record["hash"], end.is_keyed or bool(record["key_id"]))
    return None, end


def _with_following(records: Iterable[Record]) -> Iterator[tuple[Record, Record | None]]:
    """Each record with the one after it, which can confirm its hash."""
    previous: Record | None = None
    for record in records:
        if previous is not None:
            yield previous, record
        previous = record
    if previous is not None:
        yield previous, None


def _damage(record: Record, end: ChainEnd, secrets: Mapping[str, bytes]) -> Damage | None:
    """Damage that shows before a hash is computed."""
    if record["seq"] != end.seq + 1:
        return damage.missing(end.seq + 1)
    if not record["key_id"]:
        return damage.unkeyed_after_keyed(record["seq"]) if end.is_keyed else None
    if record["key_id"] not in secrets:
        return damage.key_missing(record["seq"], record["key_id"])
    return None


def _hash_damage(
    record: Record,
    following: Record | None,
    secrets: Mapping[str, bytes],
    head_hash: str,
) -> Damage | None:
    """The hash does not match the content: changed if a valid record names the hash, else forged."""
    if _is_sound(record, secrets):
        return None
    if following is None:
        confirmed = head_hash
    else:
        confirmed = following["prev_hash"] if _is_sound(following, secrets) else ""
    if not record["key_id"] or record["hash"] == confirmed:
        return damage.rewritten(record["seq"])
    return damage.forged(record["seq"])


def _is_sound(record: Record, secrets: Mapping[str, bytes]) -> bool:
    secret = secrets.get(record["key_id"])
    if record["key_id"] and secret is None:
        return False
    return hmac.compare_digest(str(record["hash"]).encode(), hash_of(record, secret).encode())


def time_text(at: datetime) -> str:
    """A time in the one form that is hashed and shown: UTC, microseconds, Z."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def plain(value: Any) -> Any:
    """Facts as JSON that is the same after reading it back: large numbers and unusual types as text."""
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
