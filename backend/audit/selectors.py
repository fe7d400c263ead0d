"""Reads the audit log: pages and exports."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from backend.audit import chain
from backend.audit.models import AuditRecord
from backend.common.rest.csv_lines import csv_line
from backend.common.rest.pagination import page

CHUNK = 2000


def filtered(filters: Mapping[str, Any], readable: Collection[str] | None) -> QuerySet[AuditRecord]:
    """Records of the readable links, or all, that match `seq`, `link`, `run`, `actor`, `action`, `since`, `until`.

    `action` is a prefix.
    """
    names = {
        "seq": "seq",
        "link": "link_id",
        "run": "run_id",
        "actor": "actor",
        "action": "action__startswith",
        "since": "at__gte",
        "until": "at__lt",
    }
    wanted = {names[key]: value for key, value in filters.items() if key in names and value not in ("", None)}
    of_links = Q() if readable is None else Q(link_id__in=list(readable))
    return AuditRecord.objects.filter(of_links, **wanted)


def record_page(
    filters: Mapping[str, Any], readable: Collection[str] | None, *, cursor: str | None, limit: int
) -> dict[str, Any]:
    """One page, newest first."""
    return page(filtered(filters, readable), order=("seq",), cursor=cursor, limit=limit, shape=as_plain)


def as_plain(record: AuditRecord) -> dict[str, Any]:
    """A record as plain data, exactly as it was hashed."""
    values = {name: getattr(record, name) for name in chain.KEYED_FIELDS}
    return {**values, "at": chain.time_text(record.at), "hash": record.hash}


def oldest_first(rows: QuerySet[AuditRecord], *, after: int = 0) -> Iterator[AuditRecord]:
    """Page by page: on MariaDB a queryset's `iterator` holds the whole result (its driver fetches all at once)."""
    while chunk := list(rows.filter(seq__gt=after).order_by("seq")[:CHUNK]):
        yield from chunk
        after = chunk[-1].seq


def export_jsonl(rows: QuerySet[AuditRecord]) -> Iterator[str]:
    """One JSON object per line, oldest first."""
    for record in oldest_first(rows):
        yield json.dumps(as_plain(record), ensure_ascii=False, sort_keys=True) + "\n"


def export_csv(rows: QuerySet[AuditRecord]) -> Iterator[str]:
    """Comma-separated values with a header line; facts as JSON."""
    names = (*chain.KEYED_FIELDS, "hash")
    yield csv_line(names)
    for record in oldest_first(rows):
        plain = as_plain(record)
        plain["facts"] = json.dumps(plain["facts"], ensure_ascii=False, sort_keys=True)
        yield csv_line(plain[name] for name in names)
