"""Reads stored orphans: pages for the API, files for export, the list for plans and runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from backend.clusters.models import Link
from backend.common.errors import invalid, not_found
from backend.core.orphans.model import OrphanList, OrphanTransaction, TableShape
from backend.core.orphans.rows.sql_literals import identifier
from backend.core.orphans.serialization import shape_from_json, shown_row, transaction_from_json
from backend.core.orphans.statements import replay_statements
from backend.core.plural import pluralize
from backend.core.positions import FilePosition
from backend.core.row_event_bytes import UnreadableError
from backend.monitoring.link_gateway import open_divergence
from backend.transactions.orphans.models import Orphan, OrphanScan

CHUNK = 200
NOT_LOOKED = "Orphaned transactions: unknown. No scan has been run since the failover."
NOT_NEEDED = "This link has no failover to reconcile."


def latest(link: Link) -> OrphanScan | None:
    """The newest scan of the open divergence; None without an open divergence, or before the first scan."""
    divergence = open_divergence(link.id)
    if divergence is None:
        return None
    return OrphanScan.objects.select_related("cluster").filter(link=link, divergence_run=divergence.run_id).first()


def view(link: Link, *, cursor: str | None = None, limit: int = 50, shows_rows: bool = True) -> dict[str, Any]:
    """The state of a link's orphans with one page of them, oldest first."""
    after = _after(cursor)
    divergence = open_divergence(link.id)
    if divergence is None:
        return _empty("not_needed", NOT_NEEDED)
    scan = latest(link)
    if scan is None:
        return _empty("unknown", NOT_LOOKED)
    return scan_view(scan, after=after, limit=limit, shows_rows=shows_rows)


def _empty(state: str, detail: str) -> dict[str, Any]:
    places = dict.fromkeys(("scanned_at", "cluster", "node", "from", "to", "first_at", "last_at", "next"))
    return {**places, "state": state, "detail": detail, "transactions": 0, "rows": 0, "tables": [], "results": []}


def scan_view(scan: OrphanScan, *, after: int = -1, limit: int = 50, shows_rows: bool = True) -> dict[str, Any]:
    """One scan with a page of its orphans, those after the index `after`."""
    table_definitions = _table_definitions(scan)
    found = list(scan.orphans.filter(index__gt=after)[: limit + 1])
    shown = found[:limit]
    return {
        "state": scan.state,
        "detail": scan.detail,
        "scanned_at": scan.scanned_at,
        "cluster": {"id": scan.cluster_id, "name": scan.cluster.name},
        "node": scan.node or None,
        "from": _position(scan.first_position),
        "to": _position(scan.last_position),
        "transactions": scan.transactions,
        "rows": scan.rows,
        "tables": scan.tables,
        "first_at": scan.first_at,
        "last_at": scan.last_at,
        "results": [_shown(orphan, table_definitions, shows_rows=shows_rows) for orphan in shown],
        "next": str(shown[-1].index) if len(found) > limit else None,
    }


def _after(cursor: str | None) -> int:
    if cursor is None:
        return -1
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise invalid("cursor", "Use the `next` value of the previous page, unchanged.")
    return int(cursor)


def _position(text: str) -> dict[str, Any] | None:
    if not text:
        return None
    position = FilePosition.parse(text)
    return {"file": position.file, "position": position.offset}


def _table_definitions(scan: OrphanScan) -> dict[str, TableShape]:
    return {name: shape_from_json(data) for name, data in scan.table_definitions.items()}


def _shown(orphan: Orphan, table_definitions: dict[str, TableShape], *, shows_rows: bool) -> dict[str, Any]:
    body = orphan.body
    rows = [shown_row(row, table_definitions.get(f"{row['schema']}.{row['table']}")) for row in body["rows"]]
    return {
        "index": orphan.index,
        "seqno": body["seqno"],
        "gtid": body["gtid"],
        "at": datetime.fromtimestamp(body["at_s"], UTC) if body["at_s"] else None,
        "kind": body["kind"],
        "statement": body["statement"] if shows_rows or body["kind"] == "ddl" else None,
        "refusal": body["refusal"],
        "rows": rows if shows_rows else [],
    }


class KeptOrphans(OrphanList):
    """A scan's orphans, read from the database in chunks: half a million are never in memory at once."""

    def __init__(self, scan: OrphanScan) -> None:
        super().__init__(scan.digest, (), _table_definitions(scan), scan.overwritten, tuple(scan.refusals))
        self._scan_id, self._count, self._changes = scan.pk, scan.transactions, scan.schema_changes

    @property
    def changes(self) -> tuple[OrphanTransaction, ...]:
        """The orphans that change table definitions, by the indexes that the scan stores."""
        rows = Orphan.objects.filter(scan_id=self._scan_id, index__in=self._changes).order_by("index")
        return tuple(transaction_from_json(body) for body in rows.values_list("body", flat=True))

    def __len__(self) -> int:
        """The number counted when they were read."""
        return self._count

    def ascending(self, first: int = 0) -> Iterator[OrphanTransaction]:
        """The orphans from an index on, oldest first."""
        for start in range(first, self._count, CHUNK):
            yield from self._between(start, start + CHUNK)

    def descending(self, last: int) -> Iterator[OrphanTransaction]:
        """The orphans from an index down, newest first."""
        for end in range(last + 1, 0, -CHUNK):
            yield from reversed(self._between(max(0, end - CHUNK), end))

    def _between(self, first: int, end: int) -> list[OrphanTransaction]:
        rows = Orphan.objects.filter(scan_id=self._scan_id, index__gte=first, index__lt=end).order_by("index")
        found = [transaction_from_json(body) for body in rows.values_list("body", flat=True)]
        if len(found) != min(end, self._count) - first:
            raise LookupError(f"orphans of scan {self._scan_id} are missing between {first} and {end}")
        return found


def orphan_list(scan_id: str) -> OrphanList:
    """A scan's orphans as the core's list; LookupError where there is no such scan."""
    scan = OrphanScan.objects.filter(pk=scan_id).first()
    if scan is None:
        raise LookupError(f"no scan {scan_id!r} is stored")
    return KeptOrphans(scan)


def _each(scan: OrphanScan) -> Iterator[Orphan]:
    """All orphans, in chunks: the driver would hold the whole result in memory."""
    for first in range(0, scan.transactions, CHUNK):
        yield from scan.orphans.filter(index__gte=first, index__lt=first + CHUNK).order_by("index")


def to_export(link: Link) -> OrphanScan:
    """The scan to export; 404 where none found orphans."""
    scan = latest(link)
    if scan is None or scan.state != "found":
        raise not_found("list of orphans")
    return scan


def export_jsonl(scan: OrphanScan) -> Iterator[str]:
    """One transaction per line, oldest first."""
    table_definitions = _table_definitions(scan)
    for orphan in _each(scan):
        shown = _shown(orphan, table_definitions, shows_rows=True)
        yield json.dumps({**shown, "at": shown["at"] and shown["at"].isoformat()}, ensure_ascii=False) + "\n"


def export_sql(scan: OrphanScan) -> Iterator[str]:
    """The transactions as statements that apply them, oldest first; a comment names one without an exact form."""
    table_definitions = _table_definitions(scan)
    count = pluralize(scan.transactions, "transaction")
    yield f"-- {count} of {scan.cluster.name} after {scan.first_position} of {scan.node}\n"
    yield "SET time_zone='+00:00', sql_mode='STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO';\n"
    for orphan in _each(scan):
        yield from _sql(orphan, table_definitions)


def _sql(orphan: Orphan, table_definitions: dict[str, TableShape]) -> Iterator[str]:
    one = transaction_from_json(orphan.body)
    yield f"\n-- {one.index + 1}: seqno {one.seqno}, gtid {one.gtid}, {one.begin}\n"
    if one.refusal:
        yield _comment(f"cannot be exported exactly: {one.refusal}")
        return
    if one.kind.value == "ddl":
        yield from _definition(one)
        return
    try:
        statements = replay_statements(one, table_definitions)
    except UnreadableError as error:
        yield _comment(f"cannot be exported exactly: {error}")
        return
    yield "START TRANSACTION;\n"
    yield from (f"{statement.sql};\n" for statement in statements)
    yield "COMMIT;\n"


def _definition(one: OrphanTransaction) -> Iterator[str]:
    if one.change is None or one.is_void:
        yield _comment("changes a table definition; for information only, do not run it:")
        yield _comment(one.statement or "")
        return
    if one.change.default_schema:
        yield f"USE {identifier(one.change.default_schema)};\n"
    yield f"{one.change.sql};\n"


def _comment(text: str) -> str:
    return "".join(f"-- {line}\n" for line in text.splitlines() or [""])
