"""What a group does, in a form that any log that holds it tells alike.

Measured on 10.11 (docs/evidence/measured-facts.md): each time a group is logged anew by an applier its Table_map events
come in the opposite order, and a cascade's child is mapped once more; `binlog_row_metadata` changes their size,
`binlog_row_image` the size of row events (and how many there are), `log_bin_compress` type and size of the long ones,
`replicate_annotate_row_events=OFF` takes the statements' texts away on the receiving side. A write to a MyISAM table
ends in COMMIT where a client wrote it and in a Xid on the replica; replicated in total order it has no text either.
Left out altogether are table maps, table ids, sizes of Gtid and Query events, and how a group ends: the Xid is the
logging cluster's own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from backend.core.binlog.events import LogEvent

_CHECKSUM = 4
_XID_WITHOUT_CHECKSUM = 27
"""A header of 19 bytes and the number; `binlog_checksum` belongs to the server that writes the log."""
_MAPPED = re.compile(r"^table_id: (\d+) \((.+)\)\s*$")
_TABLE_ID = re.compile(r"^table_id: (\d+)")
_STATEMENT_END = "STMT_END_F"
_VERBS = (("Write_rows", "insert"), ("Update_rows", "update"), ("Delete_rows", "delete"))
_WITHOUT_CONTENT = ("Gtid", "Xid", "Table_map", "Annotate_rows")
_UNTOLD = "-"
_COMPRESSED = "c"
PARTS = (
    "tables, kind of change or origin",
    "statement text",
    "sizes of rows (binlog_row_image or binlog-row-event-max-size was another one, or a session's own?)",
)
"""What each part of a group's content tells, in the order of the text."""


def content_of(events: Sequence[LogEvent], kind: str, *, has_full_images: bool) -> str:
    """`WHAT.TEXT.SIZES`: digests of what it does to which tables, of its statements, and of its rows' sizes.

    TEXT is `-` where the log holds no text. SIZES is `-` where the log's row images are not whole (`has_full_images`),
    `c` where rows are compressed (from which length on is each server's own setting), and begins with `u` elsewhere.
    """
    rows = [event for event in events if verb_of(event)]
    texts = [event.info for event in events if event.type == "Annotate_rows"]
    sizes = _sizes(rows, _bytes_missing(events[-1])) if has_full_images else _UNTOLD
    origin = f"{events[0].server_id}|{'ddl' if kind == 'ddl' else 'rows'}"
    what = _digest([origin, *_effects(events)], 32)
    return f"{what}.{_digest(texts, 20) if texts else _UNTOLD}.{sizes}"


def is_same(one: str, other: str) -> bool:
    """Whether two logs tell of the same, as far as both tell."""
    return not difference(one, other)


def are_same(ones: Sequence[str], counterparts: Sequence[str]) -> bool:
    """Whether as many groups stand in both, and each is the same."""
    return len(ones) == len(counterparts) and all(map(is_same, ones, counterparts))


def difference(one: str, other: str) -> str:
    """In words which part differs, the gravest; empty where none does.

    A digest in the form of earlier releases, which has one part, is another than any.
    """
    parts = zip(PARTS, one.split("."), other.split("."), strict=False)
    return next((part for part, left, right in parts if _differ(left, right)), "")


class ContentsDigest:
    """Of any number of groups in their order, in bounded memory.

    A part that one of the groups does not tell is not compared; nor are the sizes of compressed rows.
    """

    def __init__(self) -> None:
        self.count = 0
        self._digests = [hashlib.sha256() for _ in PARTS]
        self._is_told = [True for _ in PARTS]

    def add(self, content: str) -> None:
        """The next group's content."""
        self.count += 1
        for index, part in enumerate(content.split(".")):
            self._is_told[index] &= part not in (_UNTOLD, _COMPRESSED)
            self._digests[index].update(part.encode())

    def is_same(self, other: ContentsDigest) -> bool:
        """Whether as many groups tell the same, as far as both tell."""
        parts = zip(self._digests, other._digests, self._is_told, other._is_told, strict=True)
        differ = (mine.digest() != theirs.digest() for mine, theirs, i_tell, they_tell in parts if i_tell and they_tell)
        return self.count == other.count and not any(differ)


def verb_of(event: LogEvent) -> str | None:
    """insert, update or delete where the event holds rows."""
    return next((verb for prefix, verb in _VERBS if event.type.startswith(prefix)), None)


def _differ(one: str, other: str) -> bool:
    """Sizes of compressed rows do not compare."""
    return one != other and not {_UNTOLD, _COMPRESSED} & {one, other}


def _effects(events: Sequence[LogEvent]) -> Iterator[str]:
    """What is done to which table, in order; how many events one statement's rows fill is a matter of their size."""
    tables = {match[1]: match[2] for event in events if (match := _MAPPED.match(event.info))}
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
                yield f"Query|{event.info}"
        elif event.type not in _WITHOUT_CONTENT:
            yield f"{event.type}|{event.info}"


def _sizes(rows: Sequence[LogEvent], missing: int) -> str:
    if any("compressed" in event.type for event in rows):
        return _COMPRESSED
    return "u" + _digest([f"{event.type}|{size_of(event) + missing}" for event in rows], 20)


def _bytes_missing(last: LogEvent) -> int:
    """How many bytes each event lacks against a log with checksums, so that both kinds compare."""
    return _CHECKSUM if last.type == "Xid" and size_of(last) == _XID_WITHOUT_CHECKSUM else 0


def size_of(event: LogEvent) -> int:
    """In bytes; end_log_pos is 32 bits wide and may have wrapped."""
    return (event.end_log_pos - event.pos) % 2**32


def _digest(parts: Sequence[str], digits: int) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:digits]
