"""Reads the record: pages, exports, verification."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Max, QuerySet
from django.utils import timezone

from backend.audit import chain
from backend.audit.models import AuditHead, AuditRecord
from backend.common.rest.pagination import page

CHUNK = 2000


def filtered(filters: Mapping[str, Any]) -> QuerySet[AuditRecord]:
    """Records that match `link`, `run`, `actor`, `action` (a prefix), `since`, `until`."""
    names = {
        "link": "link_id",
        "run": "run_id",
        "actor": "actor",
        "action": "action__startswith",
        "since": "at__gte",
        "until": "at__lt",
    }
    wanted = {names[key]: value for key, value in filters.items() if key in names and value not in ("", None)}
    return AuditRecord.objects.filter(**wanted)


def record_page(filters: Mapping[str, Any], *, cursor: str | None, limit: int) -> dict[str, Any]:
    """One page, newest first."""
    return page(filtered(filters), order=("seq",), cursor=cursor, limit=limit, shape=as_plain)


def as_plain(record: AuditRecord) -> dict[str, Any]:
    """A record as plain data, just as it was hashed."""
    values = {name: getattr(record, name) for name in chain.FIELDS}
    return {**values, "at": chain.time_text(record.at), "hash": record.hash}


def verify() -> dict[str, Any]:
    """Walk the chain up to the head, and see that it ends there; writers may go on meanwhile."""
    head = AuditHead.objects.filter(pk=1).first() or AuditHead(seq=0, hash=chain.GENESIS)
    rows = _oldest_first(AuditRecord.objects.filter(seq__lte=head.seq))
    bad, seq, last = chain.first_bad(as_plain(row) for row in rows)
    if bad is None and seq < head.seq:
        bad = seq + 1
    if bad is None and last != head.hash:
        bad = seq
    if bad is None:
        bad = _first_past_head()
    return {
        "ok": bad is None,
        "records": seq,
        "first_bad_seq": bad,
        "head": {"seq": seq, "hash": last},
        "checked_at": timezone.now(),
    }


def _oldest_first(rows: QuerySet[AuditRecord]) -> Iterator[AuditRecord]:
    """Page by page: on MariaDB a queryset's `iterator` holds the whole answer (its driver fetches all at once)."""
    after = 0
    while chunk := list(rows.filter(seq__gt=after).order_by("seq")[:CHUNK]):
        yield from chunk
        after = chunk[-1].seq


def _first_past_head() -> int | None:
    """The first record that the head knows nothing of; a writer stores both in one transaction."""
    newest: int = AuditRecord.objects.aggregate(newest=Max("seq"))["newest"] or 0
    end = AuditHead.objects.filter(pk=1).values_list("seq", flat=True).first() or 0
    return end + 1 if newest > end else None


def export_jsonl(rows: QuerySet[AuditRecord]) -> Iterator[str]:
    """One JSON object a line, oldest first."""
    for record in _oldest_first(rows):
        yield json.dumps(as_plain(record), ensure_ascii=False, sort_keys=True) + "\n"


def export_csv(rows: QuerySet[AuditRecord]) -> Iterator[str]:
    """Comma-separated, with a heading; facts as JSON."""
    names = (*chain.FIELDS, "hash")
    yield _csv_line(names)
    for record in _oldest_first(rows):
        plain = as_plain(record)
        plain["facts"] = json.dumps(plain["facts"], ensure_ascii=False, sort_keys=True)
        yield _csv_line([_harmless(plain[name]) for name in names])


def _harmless(value: Any) -> Any:
    """Spreadsheets run what begins like a formula; a leading quote stops that."""
    text = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if text else value


def _csv_line(values: Any) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(values)
    return out.getvalue()
