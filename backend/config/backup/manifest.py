"""What an archive holds, with checksums, and a MAC of the audit key that proves who wrote it."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.conf import settings

from backend.audit.keys import KeyRing, key_ring
from backend.config.backup.errors import BackupError
from backend.config.backup.schema import Migrations, Table

FORMAT: Final = 1
PURPOSE: Final = "backup manifest"


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one table, with their count and checksum."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    rows: int
    size: int
    sha256: str

    @property
    def table(self) -> Table:
        """The table of these rows."""
        return Table(self.name, tuple(self.columns), tuple(self.key))

    @property
    def file(self) -> str:
        """Name of the rows' file in the archive."""
        return f"tables/{self.name}.jsonl"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The first thing that a restore reads."""

    version: str
    made_at: str
    vendor: str
    migrations: Migrations
    parts: tuple[Part, ...]
    audit_seq: int
    audit_hash: str
    audit_keys: tuple[str, ...]
    credentials_keys: tuple[str, ...]

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(part.rows for part in self.parts)

    def part(self, table: str) -> Part:
        """The part of a table; BackupError if the archive has none."""
        found = next((part for part in self.parts if part.name == table), None)
        if found is None:
            raise BackupError(f"The archive has no table {table}")
        return found


def credentials_key_ids(keys: Iterable[str] | None = None) -> tuple[str, ...]:
    """Ids of the keys of HAWSER_CREDENTIALS_KEY that do not reveal them."""
    listed = settings.HAWSER_CREDENTIALS_KEYS if keys is None else keys
    return tuple(
        hmac.new(key.encode(), b"hawser credentials key id", hashlib.sha256).hexdigest()[:16] for key in listed
    )


def write(manifest: Manifest) -> bytes:
    """The manifest as JSON, with its MAC."""
    keys, content = key_ring(), json.dumps(asdict(manifest))
    signed = {"format": FORMAT, "content": content, "key_id": keys.newest_id}
    return json.dumps({**signed, "mac": keys.mac(PURPOSE, signed)}).encode()


def read(text: bytes) -> Manifest:
    """The manifest; BackupError if it is damaged or was not written with one of the audit keys."""
    try:
        signed = json.loads(text)
        mac, key_id = signed.pop("mac"), str(signed["key_id"])
        if signed["format"] != FORMAT:
            raise BackupError(f"The archive has format {signed['format']}; this version reads format {FORMAT}")
        _check_mac(key_ring(), signed, mac, key_id)
        return _parsed(json.loads(signed["content"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupError("manifest.json is damaged") from error


def _check_mac(keys: KeyRing, signed: dict[str, Any], mac: str, key_id: str) -> None:
    if key_id not in keys.secrets:
        raise BackupError(f"The archive was written with the audit key {key_id}, which HAWSER_AUDIT_KEY does not list")
    if not keys.is_genuine(mac, PURPOSE, signed, key_id=key_id):
        raise BackupError("manifest.json is damaged or was changed: its MAC is wrong")


def _parsed(content: dict[str, Any]) -> Manifest:
    for name in ("audit_keys", "credentials_keys"):
        content[name] = tuple(content[name])
    content["migrations"] = [(app, name) for app, name in content["migrations"]]
    content["parts"] = tuple(Part(**part) for part in content["parts"])
    return Manifest(**content)
