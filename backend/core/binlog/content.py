"""The content of a group, in a form that is equal in every log that holds the group.

Measured on 10.11 (docs/evidence/measured-facts.md): each time an applier logs a group again, its Table_map events are
in the opposite order, and a cascade's child is mapped again; `binlog_row_metadata` changes their size,
`binlog_row_image` the size of row events (and their number), `log_bin_compress` type and size of the long ones,
`replicate_annotate_row_events=OFF` removes the statements' texts on the receiving side. A write to a MyISAM table
ends in COMMIT where a client wrote it and in a Xid on the replica; replicated in total order it has no text either.
The rows of a SEQUENCE stand before those of the table whose statement took the number where a client wrote it, and
behind them, with the statement's text, in every other log. What servers change in the text of a statement is in
`compared_statement`; a definer that one log lacks is not compared. The content omits table maps, table ids, sizes of
Gtid and Query events, and how a group ends: the Xid is the logging cluster's own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from backend.core.binlog.compared_statement import compared_statement
from backend.core.binlog.events import LogEvent, RowImages, size_of

_CHECKSUM = 4
_XID_WITHOUT_CHECKSUM = 27
"""A header of 19 bytes and the number; `binlog_checksum` belongs to the server that writes the log."""
_ROWS_HEAD = 33
_SEQUENCE_ROW = 58
"""The bytes of a row event of eight columns besides its rows, and of a row: every sequence has the same columns."""
_MAPPED = re.compile(r"^table_id: (\d+) \((.+)\)\s*$")
_TABLE_ID = re.compile(r"^table_id: (\d+)")
_STATEMENT_END = "STMT_END_F"
_VERBS = (("Write_rows", "insert"), ("Update_rows", "update"), ("Delete_rows", "delete"))
_WITHOUT_CONTENT = (
    *("Gtid", "Xid", "Table_map", "Annotate_rows"),
    *("Gtid_tagged_log_event", "Anonymous_Gtid", "Rows_query", "Transaction_payload"),
)
_UNKNOWN = "-"
_COMPRESSED = "c"
PARTS = (
    "tables, kind of change or origin",
    "statement text",
    "sizes of rows (binlog_row_image or binlog-row-event-max-size may have differed, also within a session)",
)
"""The parts of a group's content, in the order of the text."""


def content_of(events: Sequence[LogEvent], kind: str, *, row_images: RowImages) -> str:
    """`WHAT.TEXT.SIZES`: digests of the changes to each table, of the statements, and of the rows' sizes.

    TEXT is `-` where the log holds no text. SIZES is `-` where the log's row images are partial (`row_images`) or an
    event's end is unknown, `c` where rows are compressed (from which length on is each server's own setting). It begins
    with `g` where rows were changed or deleted and the log leaves generated columns out of such images, else with `u`.
    """
    maps = (_MAPPED.match(event.info) for event in events if event.type == "Table_map")
    tables = {match[1]: match[2] for match in maps if match}
    takes_numbers = _takes_numbers(events)
    ordered = _in_one_order(events, tables, takes_numbers=takes_numbers)
    rows = [event for event in ordered if verb_of(event)]
    texts = [event.info for event in events if event.type == "Annotate_rows"]
    queries = (compared_statement(event.info) for event in events if event.type.startswith("Query"))
    texts += [query.definer for query in queries if query.definer]
    if takes_numbers:
        texts.sort()
    sizes = _UNKNOWN if row_images is RowImages.PARTIAL else _sizes(rows, _bytes_missing(events[-1]), row_images)
    origin = f"{events[0].server_id}|{'ddl' if kind == 'ddl' else 'rows'}"
    what = _digest([origin, *_effects(ordered, tables)], 32)
    return f"{what}.{_digest(texts, 20) if texts else _UNKNOWN}.{sizes}"


def is_same(one: str, other: str) -> bool:
    """Whether two contents are equal in every part that both logs have."""
    return not difference(one, other)


def are_same(ones: Sequence[str], counterparts: Sequence[str]) -> bool:
    """Whether both have the same number of groups, and each pair is the same."""
    return len(ones) == len(counterparts) and all(map(is_same, ones, counterparts))


def difference(one: str, other: str) -> str:
    """In words the most severe part that differs; empty where none does.

    A digest in the form of earlier releases, which has one part, differs from every other.
    """
    parts = zip(PARTS, one.split("."), other.split("."), strict=False)
    return next((part for part, left, right in parts if _differ(left, right)), "")


class ContentsDigest:
    """The digest of any number of groups in their order, in bounded memory.

    A part that is missing in one of the groups is not compared; nor are the sizes of compressed rows, nor those of
    images that one side alone logs without generated columns.
    """

    def __init__(self) -> None:
        self.count = 0
        self._digests = [hashlib.sha256() for _ in PARTS]
        self._is_known = [True for _ in PARTS]
        self._is_reduced = [False for _ in PARTS]

    def add(self, content: str) -> None:
        """Add the next group's content."""
        self.count += 1
        for index, part in enumerate(content.split(".")):
            self._is_known[index] &= part not in (_UNKNOWN, _COMPRESSED)
            self._is_reduced[index] |= _is_reduced(part)
            self._digests[index].update(part.encode())

    def is_same(self, other: ContentsDigest) -> bool:
        """Whether both have the same number of groups, equal in every part that both have."""
        return self.count == other.count and not any(
            self._digests[index].digest() != other._digests[index].digest()
            for index in range(len(PARTS))
            if self._is_known[index] and other._is_known[index] and self._is_reduced[index] == other._is_reduced[index]
        )


def verb_of(event: LogEvent) -> str | None:
    """insert, update or delete where the event holds rows."""
    return _verb_of_type(event.type)


@lru_cache(maxsize=256)
def _verb_of_type(event_type: str) -> str | None:
    """Asked for every event of a search several times, and there are few types."""
    return next((verb for prefix, verb in _VERBS if event_type.startswith(prefix)), None)


def _differ(one: str, other: str) -> bool:
    """Whether two parts differ; what is missing, compressed, or of images of another form is not compared."""
    return one != other and not {_UNKNOWN, _COMPRESSED} & {one, other} and _is_reduced(one) == _is_reduced(other)


def _is_reduced(part: str) -> bool:
    """Whether the sizes are those of images without generated columns; no digest begins with a `g`."""
    return part.startswith(RowImages.WITHOUT_GENERATED)


def _in_one_order(events: Sequence[LogEvent], tables: Mapping[str, str], *, takes_numbers: bool) -> list[LogEvent]:
    """Where a sequence gave numbers, rows of whole statements are sorted by their tables, between two Query events."""
    if not takes_numbers:
        return [event for event in events if event.type not in _WITHOUT_CONTENT]
    ordered: list[LogEvent] = []
    statements: list[list[LogEvent]] = []
    is_open = False
    for event in events:
        if verb_of(event) is not None:
            if not is_open:
                statements.append([])
            statements[-1].append(event)
            is_open = _STATEMENT_END not in event.info
        elif event.type not in _WITHOUT_CONTENT:
            ordered += [*_by_table(statements, tables), event]
            statements, is_open = [], False
    return ordered + _by_table(statements, tables)


def _takes_numbers(events: Sequence[LogEvent]) -> bool:
    """Whether one of them is as long as rows of a sequence are, which nothing else in a log tells from a table's."""
    missing = _bytes_missing(events[-1])
    sizes = (size_of(event) for event in events if event.type.startswith("Write_rows"))
    return any(size is not None and (size + missing - _ROWS_HEAD) % _SEQUENCE_ROW == 0 for size in sizes)


def _by_table(statements: list[list[LogEvent]], tables: Mapping[str, str]) -> list[LogEvent]:
    """Those of one table stay in their order."""
    if len(statements) > 1:
        statements = sorted(statements, key=lambda rows: list(_effects(rows, tables)))
    return [event for rows in statements for event in rows]


def _effects(events: Sequence[LogEvent], tables: Mapping[str, str]) -> Iterator[str]:
    """The change to each table, in order; one statement's rows count once, as their size decides how many events."""
    last = ""
    for event in events:
        verb = verb_of(event)
        if verb is not None:
            number = _TABLE_ID.match(event.info)
            effect = f"{verb}|{tables.get(number[1]) if number else event.info}"
            if effect != last:
                yield effect
            last = effect if _STATEMENT_END not in event.info else ""
        elif event.type.startswith("Query"):
            if event.info != "COMMIT":
                yield f"Query|{compared_statement(event.info).text}"
        elif event.type not in _WITHOUT_CONTENT:
            yield f"{event.type}|{event.info}"


def _sizes(rows: Sequence[LogEvent], missing: int, row_images: RowImages) -> str:
    if any("compressed" in event.type for event in rows):
        return _COMPRESSED
    sizes = [size for event in rows if (size := size_of(event)) is not None]
    if len(sizes) < len(rows):
        return _UNKNOWN
    form = RowImages.FULL if all(verb_of(event) == "insert" for event in rows) else row_images
    return form + _digest([f"{event.type}|{size + missing}" for event, size in zip(rows, sizes, strict=True)], 20)


def _bytes_missing(last: LogEvent) -> int:
    """The bytes each event lacks compared with a log with checksums, so that both kinds are comparable."""
    return _CHECKSUM if last.type == "Xid" and size_of(last) == _XID_WITHOUT_CHECKSUM else 0


def _digest(parts: Sequence[str], digits: int) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:digits]
