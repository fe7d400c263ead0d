"""Event groups: one transaction each, from its GTID event to its Xid, COMMIT or DDL statement.

An ALTER that its server logs in two halves (`binlog_alter_two_phase`) is one group: its COMMIT ALTER, which a replica
executes whole where it lacks the first half. START and ROLLBACK ALTER change nothing and are no groups (measured,
docs/evidence/measured-facts.md): neighbours of the writer log one plain ALTER, or none where it failed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from backend.core.binlog.content import content_of, verb_of
from backend.core.binlog.events import PAGE_ROWS, Cursor, LogEvent, RowImages, size_of
from backend.core.binlog.statement_text import without_secrets
from backend.core.dialects import MARIADB_EVENTS, EventForms
from backend.core.positions import FilePosition, MariadbGtid

InStream = Callable[["OfServer"], bool]
"""Whether a group belongs to a stream: told by the server that wrote it, so by its first event, too."""
_SHOWN_CHARS = 1_000
_FLUSH = re.compile(r"(use `[^`]*`; )?(\s|/\*.*?\*/)*FLUSH\b", re.IGNORECASE | re.DOTALL)
_XID = re.compile(r"xid=(\d+)")
_TABLE = re.compile(r"\((.+)\)\s*$")


class OfServer(Protocol):
    """What tells the server that wrote it."""

    @property
    def server_id(self) -> int:
        """The server's id."""
        ...


class UnknownEventError(Exception):
    """An event of a type unknown to the group reader: it is named, never skipped."""

    def __init__(self, event: LogEvent) -> None:
        shown = f" ({event.info[:60]})" if event.type == "Gtid" else ""
        super().__init__(f"unknown event {event.type!r}{shown} at {event.file}:{event.pos}")
        self.event = event


@dataclass(frozen=True, slots=True)
class Group:
    """One transaction in one log, from `start` to `end` (offsets of that log).

    It stores a summary of its events instead of them: a search for a replica that lags holds
    hundreds of thousands of groups (2.5 kB each with their events, 0.7 without).
    `texts` are its Query events except BEGIN and COMMIT; `statement` is that of the DDL, or the first
    annotated row statement, shortened. In a relay log `last_end_log_pos` is an offset in the source's log.
    `gtid_text` is the GTID of whatever family. `changes_nothing`: it is half a statement, or a FLUSH, of which Galera
    replicates some kinds alone (`FLUSH SSL` stands in the log of its node alone: docs/evidence/measured-facts.md).
    """

    file: str
    start: int
    end: int
    server_id: int
    gtid: MariadbGtid | None
    xid: int | None
    kind: str
    content: str
    tables: tuple[str, ...]
    verbs: tuple[str, ...]
    texts: tuple[str, ...]
    statement: str | None
    event_count: int
    last_end_log_pos: int
    gtid_text: str = ""
    changes_nothing: bool = False

    @property
    def begin_position(self) -> FilePosition:
        """The position at which its first event starts."""
        return FilePosition(self.file, self.start)

    @property
    def end_position(self) -> FilePosition:
        """The position at which a replica that has this group resumes."""
        return FilePosition(self.file, self.end)

    @property
    def summary(self) -> str:
        """A short text for people: `insert orders, order_lines` or the DDL's text, without passwords."""
        if self.kind == "ddl":
            return f"DDL {without_secrets(self.statement or '')}".strip()
        tables = ", ".join(name.rpartition(".")[2] for name in self.tables)
        return f"{' + '.join(self.verbs) or 'transaction'} {tables}".strip()

    def to_json(self) -> dict[str, object]:
        """The group as the API returns it."""
        return {
            "seqno": self.xid,
            "gtid": self.gtid_text or None,
            "kind": self.kind,
            "summary": self.summary[:200],
            "statement": without_secrets(self.statement or "")[:400] or None,
            "tables": list(self.tables),
            "bytes": self.end - self.start,
            "events": self.event_count,
            "server_id": self.server_id,
            "file": self.file,
            "position": self.start,
            "end_position": self.end,
            "digest": self.content,
        }


def _tables(events: Sequence[LogEvent]) -> tuple[str, ...]:
    """Tables that its row events name, in order of appearance."""
    names = (m.group(1) for e in events if e.type == "Table_map" if (m := _TABLE.search(e.info)))
    return tuple(dict.fromkeys(map(sys.intern, names)))


def _verbs(events: Sequence[LogEvent]) -> tuple[str, ...]:
    """The kinds of its row events (insert, update, delete), in order of appearance."""
    return tuple(dict.fromkeys(verb for event in events if (verb := verb_of(event)) is not None))


def _texts(events: Sequence[LogEvent]) -> tuple[str, ...]:
    """Its statements besides rows; also a ROLLBACK, which ends changes that could not be rolled back."""
    queries = (event.info for event in events if event.type.startswith("Query"))
    return tuple(text for text in queries if text.upper() not in ("COMMIT", "BEGIN"))


def _statement(events: Sequence[LogEvent], texts: Sequence[str]) -> str | None:
    """The first text in it; that of rows is for display only and may be megabytes."""
    annotated = next((event.info for event in events if event.type == "Annotate_rows"), None)
    if annotated is not None:
        return annotated[:_SHOWN_CHARS]
    return next((text for text in texts if text.upper() != "ROLLBACK"), None)


def groups_from(
    cursor: Cursor, start: FilePosition, *, page_rows: int = PAGE_ROWS, in_stream: InStream | None = None
) -> Iterator[Group]:
    """The groups of a log from a boundary between two on; raises what reading raises, or UnknownEventError.

    `in_stream` as in `read_groups`.
    """
    events = cursor.events_from(start, page_rows=page_rows)
    return read_groups(events, row_images=cursor.source.row_images, forms=cursor.source.forms, in_stream=in_stream)


def read_groups(
    events: Iterable[LogEvent],
    *,
    is_relay: bool = False,
    row_images: RowImages = RowImages.FULL,
    forms: EventForms = MARIADB_EVENTS,
    in_stream: InStream | None = None,
    with_idle: bool = False,
) -> Iterator[Group]:
    """Assemble events into groups; a group still incomplete at the end is not yielded.

    Those that change nothing are left out, unless `with_idle`.

    With `in_stream`, groups that it refuses by their first event have places and numbers only: their content equals
    no other one. Making the content takes three quarters of the time.

    Raises UnknownEventError. In a relay log `end_log_pos` does not give the sizes of events, so relay groups serve for
    numbers and order, not for content.
    """
    pending: list[LogEvent] = []
    standalone = False
    for event in events:
        if event.type in forms.control:
            continue
        if event.type in forms.gtid_events:
            if not forms.gtid.match(event.info):
                raise UnknownEventError(event)
            pending = [event]
            standalone = not (forms.is_begin_told_by_gtid and event.info.startswith("BEGIN "))
            continue
        if not pending:
            if _begins(event, forms):
                pending, standalone = [event], False
                continue
            if is_relay and event.type in (forms.inner | forms.ends):
                continue
            raise UnknownEventError(event)
        if event.type not in forms.ends and event.type not in forms.inner:
            raise UnknownEventError(event)
        if not forms.is_begin_told_by_gtid and _begins(event, forms):
            standalone = False
        pending.append(_as_written(event, forms))
        if _ends_group(event, forms, standalone=standalone):
            is_idle = _is_half(pending[0], forms) or (standalone and _FLUSH.match(event.info) is not None)
            is_outside = is_idle or (in_stream is not None and not in_stream(pending[0]))
            if with_idle or not is_idle:
                group = _group(pending, forms, standalone=standalone, row_images=row_images, is_outside=is_outside)
                yield replace(group, changes_nothing=True) if is_idle else group
            pending = []


def _is_half(first: LogEvent, forms: EventForms) -> bool:
    return forms.half is not None and first.type in forms.gtid_events and forms.half.search(first.info) is not None


def _begins(event: LogEvent, forms: EventForms) -> bool:
    return event.type.startswith("Query") and forms.begin.match(event.info) is not None


def _as_written(event: LogEvent, forms: EventForms) -> LogEvent:
    """The event without what its own server appended to the statement."""
    if forms.added_text is None or not event.type.startswith("Query"):
        return event
    return event._replace(info=forms.added_text.sub("", event.info))


def _ends_group(event: LogEvent, forms: EventForms, *, standalone: bool) -> bool:
    if event.type in forms.ends:
        return True
    if not event.type.startswith("Query"):
        return False
    return standalone or event.info in ("COMMIT", "ROLLBACK")


def _group(
    events: list[LogEvent], forms: EventForms, *, standalone: bool, row_images: RowImages, is_outside: bool
) -> Group:
    first, last = events[0], events[-1]
    gtid = forms.gtid.match(first.info) if first.type in forms.gtid_events else None
    xid = _XID.search(last.info) if last.type == "Xid" else None
    kind = "ddl" if standalone else "dml" if xid else "other"
    texts = () if is_outside else _texts(events)
    return Group(
        file=sys.intern(first.file),
        start=first.pos,
        end=_end_of(last),
        server_id=first.server_id,
        gtid=MariadbGtid.parse(gtid["gtid"]) if gtid and forms.is_begin_told_by_gtid else None,
        xid=int(xid.group(1)) if xid and forms.is_xid_of_cluster else None,
        kind=kind,
        content=_place_of(first) if is_outside else content_of(events, kind, row_images=row_images),
        tables=() if is_outside else _tables(events),
        verbs=() if is_outside else _verbs(events),
        texts=texts,
        statement=None if is_outside else _statement(events, texts),
        event_count=len(events),
        last_end_log_pos=last.end_log_pos,
        gtid_text=gtid["gtid"] if gtid else "",
    )


def _place_of(event: LogEvent) -> str:
    """What stands for a content that was not made: in one part, so that it differs from every content."""
    return f"outside the stream at {event.file}:{event.pos}".replace(".", " ")


def _end_of(event: LogEvent) -> int:
    """Every release writes the end of a transaction, whatever it leaves out inside one.

    MySQL shows what was compressed as events without a size that begin at the end of all of them.
    """
    if not event.end_log_pos:
        raise UnknownEventError(event)
    return event.pos + (size_of(event) or 0)


def foreign_to(server_ids: Iterable[int]) -> InStream:
    """A filter for groups that did not originate in the cluster with these server ids."""
    own = frozenset(server_ids)
    return lambda group: group.server_id not in own
