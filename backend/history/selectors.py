"""Reads the history: runs told in sentences, filtered and page by page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Concat, Lower
from django.db.models.lookups import Contains

from backend.common.errors import not_found
from backend.common.rest.pagination import rows_of_page
from backend.core.history.entry import entry_of
from backend.operations.runs.models import Approval, Run
from backend.operations.runs.selectors import of_links
from backend.operations.runs.stored_run import stored_runs, with_everything_told

CHUNK: Final = 200
_COLUMNS: Final = {
    "link": "link_id",
    "kind": "kind",
    "outcome": "state",
    "since": "created_at__gte",
    "until": "created_at__lt",
}
_SEARCHED: Final = ("id", "reason", "outcome", "link__name", "requested_by")


def filtered(filters: Mapping[str, Any], readable: Collection[str] | None) -> QuerySet[Run]:
    """Runs of the readable links that match `link`, `kind`, `outcome`, `person`, the times and the words of `q`."""
    wanted = {_COLUMNS[key]: value for key, value in filters.items() if key in _COLUMNS and value not in ("", None)}
    rows = Run.objects.filter(of_links(readable), **wanted)
    if person := filters.get("person"):
        rows = rows.filter(_concerns(person))
    asked = str(filters.get("q") or "").lower().split()
    for word in asked:
        rows = rows.filter(Contains(_searched(), word))
    return rows


def _searched() -> Lower:
    """All that is searched as one lower-case text: the collation of the console's database is binary."""
    summary = KeyTextTransform("summary", "plan__body")
    columns = [part for name in _SEARCHED for part in (name, Value(" "))]
    return Lower(Concat(*columns, summary, output_field=TextField()))


def _concerns(person: str) -> Q:
    """Runs that a person requested, resumed, aborted, approved, let through or reviewed."""
    decided = Approval.objects.filter(Q(approver=person) | Q(reviewed_by=person)).values("run_id")
    own = Q(requested_by=person) | Q(resumed_by=person) | Q(abort_requested_by=person)
    return own | Q(pk__in=decided)


def history_page(
    filters: Mapping[str, Any], readable: Collection[str] | None, *, cursor: str | None, limit: int
) -> dict[str, Any]:
    """One page of entries, newest first."""
    rows = with_everything_told(filtered(filters, readable))
    shown, following = rows_of_page(rows, order=("created_at", "id"), cursor=cursor, limit=limit)
    return {"results": [entry_of(run) for run in stored_runs(shown)], "next": following}


def history_entry(run_id: str) -> dict[str, Any]:
    """One entry; 404 if there is no such run."""
    found = with_everything_told(Run.objects.filter(pk=run_id)).first()
    if found is None:
        raise not_found("run")
    return next(map(entry_of, stored_runs([found])))


def entries(filters: Mapping[str, Any], readable: Collection[str] | None) -> Iterator[dict[str, Any]]:
    """All entries, oldest first, page by page: the driver of MariaDB fetches a whole result at once."""
    rows = with_everything_told(filtered(filters, readable)).order_by("created_at", "id")
    after = Q()
    while chunk := list(rows.filter(after)[:CHUNK]):
        yield from map(entry_of, stored_runs(chunk))
        last = chunk[-1]
        after = Q(created_at__gt=last.created_at) | Q(created_at=last.created_at, id__gt=last.id)
