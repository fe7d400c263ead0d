"""The time line of a link: its runs, events, rehearsals and changes of settings as one list, newest first."""

from __future__ import annotations

import base64
import binascii
import heapq
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from django.db.models import Q, QuerySet

from backend.clusters.models import Link
from backend.common.errors import invalid, not_found
from backend.history import timeline_rows

Key = tuple[datetime, str]
"""A place in the list: the time, and `kind:id`, which is the permalink of an entry."""


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of one kind; `at` names the column of their time, `shown` makes the entry of a row."""

    rows: Callable[[Link], QuerySet[Any]]
    at: str
    shown: Callable[[Iterable[Any]], Iterator[dict[str, Any]]]


SOURCES: Final = {
    "run": Source(timeline_rows.runs, "created_at", timeline_rows.shown_runs),
    "event": Source(timeline_rows.events, "at", timeline_rows.shown_events),
    "rehearsal": Source(timeline_rows.rehearsals, "at", timeline_rows.shown_rehearsals),
    "setting": Source(timeline_rows.settings_changes, "at", timeline_rows.shown_settings),
}
KINDS: Final = tuple(SOURCES)


def timeline(
    link: Link, *, kinds: Collection[str], cursor: str | None, entry: str | None, limit: int
) -> dict[str, Any]:
    """One page; with `entry` the page that begins with that entry."""
    start = _decoded(cursor) if cursor else None
    if entry is not None and start is None:
        start = _place_of(link, entry)
        return _page(link, kinds, start, limit, is_included=True)
    return _page(link, kinds, start, limit, is_included=False)


def _page(link: Link, kinds: Collection[str], start: Key | None, limit: int, *, is_included: bool) -> dict[str, Any]:
    found = heapq.merge(
        *(_of_kind(link, kind, start, limit) for kind in KINDS if kind in kinds), key=_key, reverse=True
    )
    wanted = (one for one in found if start is None or _key(one) < start or (is_included and _key(one) == start))
    shown = list(islice(wanted, limit + 1))
    following = _encoded(_key(shown[limit - 1])) if len(shown) > limit else None
    return {"results": shown[:limit], "next": following}


def _of_kind(link: Link, kind: str, start: Key | None, limit: int) -> list[dict[str, Any]]:
    """The newest rows from the start on; those at its very time are few, and are all read."""
    source = SOURCES[kind]
    rows = source.rows(link)
    found: list[Any] = []
    if start is not None:
        found = list(rows.filter(**{source.at: start[0]}))
        rows = rows.filter(**{f"{source.at}__lt": start[0]})
    found += rows.order_by(f"-{source.at}", "-pk")[: limit + 1]
    entries = ({"kind": kind, **one, "entry": f"{kind}:{one['id']}"} for one in source.shown(found))
    return sorted(entries, key=_key, reverse=True)


def _key(entry: dict[str, Any]) -> Key:
    return entry["at"], entry["entry"]


def _place_of(link: Link, entry: str) -> Key:
    """The place of an entry that a permalink names."""
    kind, _, key = entry.partition(":")
    source = SOURCES.get(kind)
    is_number = kind in ("event", "setting")
    if source is None or not key.isascii() or (is_number and not (key.isdigit() and len(key) < 19)):
        raise invalid("entry", "Name an entry as kind:id, for example run:r_k3vq7m2xw5ta.")
    row = source.rows(link).filter(Q(pk=int(key) if is_number else key)).first()
    if row is None:
        raise not_found("entry of the time line")
    return getattr(row, source.at), entry


def _encoded(key: Key) -> str:
    text = json.dumps([key[0].isoformat(), key[1]])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decoded(cursor: str) -> Key:
    try:
        at, entry = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None or not isinstance(entry, str):
            raise ValueError("not a cursor")
        return moment.astimezone(UTC), entry
    except (ValueError, TypeError, OverflowError, binascii.Error, RecursionError) as error:
        raise invalid(
            "cursor", "The cursor is not valid. Send the `next` value of the previous page, unchanged."
        ) from error
