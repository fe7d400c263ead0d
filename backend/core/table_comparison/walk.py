"""Walks over a table chunk by chunk, and tells rows that differ from rows that are on their way.

All nodes are read in snapshots of nearly one moment. A transaction that lies between them may stand in one and not yet
in another, so a row that differs counts only where none of them touched the table; otherwise it is looked up again in
later snapshots. Rows that are equal are so at the moment of the reference's snapshot; those of a table that was being
written are counted by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from backend.core.orphans.model import TableShape
from backend.core.orphans.serialization import image_from_json, image_to_json
from backend.core.ports import Row
from backend.core.table_comparison import statements
from backend.core.table_comparison.statements import Digest, Key

MOST_DIFFERENT = 1_000
"""Of a table in which more rows differ the rest is not read: it is mended as a whole."""
MOST_LOOKS = 20
"""A row that differs as often while its table is written is told as that."""
LOOKED_UP = 100
"""Keys in one statement."""
_ROWS_MORE = 4
"""A range that has more rows than this many chunks on a node is told by its number of rows."""


class Apart(StrEnum):
    """How a row of a node differs from the reference's."""

    DIFFERENT = "different"
    MISSING = "missing"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Difference:
    """A row, by its key, that is not the same on a node; without a key (`None`) the table as a whole.

    `is_confirmed`: no transaction between the snapshots touched the table. Otherwise it differed in each of
    `MOST_LOOKS` looks while the table was written.
    """

    node_id: str
    key: Key | None
    apart: Apart
    is_confirmed: bool


class Snapshots(Protocol):
    """All nodes as they were in nearly one moment; the first one is the reference."""

    @property
    def node_ids(self) -> Sequence[str]:
        """The reference first."""
        ...

    @property
    def touched(self) -> Collection[str] | None:
        """Tables that a transaction touched which may lie between them, as schema.table; None where that is unknown."""
        ...

    def first(self, sql: str) -> Sequence[Row]:
        """Rows of the reference; raises NodeError."""
        ...

    def each(self, sql: str) -> Mapping[str, Sequence[Row]]:
        """Rows of each node, asked at once; raises NodeError."""
        ...


@dataclass(frozen=True, slots=True)
class Doubt:
    """A row that differed while its table was written, and how often it was looked at."""

    key: Key | None
    looks: int = 1


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a table is compared: all rows up to `after`, but for the `doubts`.

    `rows`: of the reference, as far as they were compared; `while_written` of them while the table was being written.
    `sentence`: why the rest is not compared.
    """

    after: Key | None = None
    at_end: bool = False
    rows: int = 0
    while_written: int = 0
    doubts: tuple[Doubt, ...] = ()
    different: int = 0
    sentence: str = ""

    @property
    def is_done(self) -> bool:
        """Whether nothing of the table is left to compare."""
        return bool(self.sentence) or (self.at_end and not self.doubts)


@dataclass(frozen=True, slots=True)
class Step:
    """What a step found: the walk behind it, and differences that are known now."""

    walk: Walk
    found: tuple[Difference, ...] = field(default=())


def step(shape: TableShape, walk: Walk, snapshots: Snapshots, rows: int) -> Step:
    """Compare the next chunk of about so many rows, or look again at what differed; raises NodeError."""
    if shape.key:
        return _look_again(shape, walk, snapshots) if walk.at_end else _next_chunk(shape, walk, snapshots, rows)
    return _as_whole(shape, walk, snapshots)


def is_written(shape: TableShape, snapshots: Snapshots) -> bool:
    """Whether a transaction that may lie between the snapshots touched the table."""
    return snapshots.touched is None or shape.name in snapshots.touched


def _next_chunk(shape: TableShape, walk: Walk, snapshots: Snapshots, rows: int) -> Step:
    last = snapshots.first(statements.last_key_sql(shape, walk.after, rows))
    upto = statements.key_of(shape, last[0]) if last else None
    digests = _digests(snapshots, statements.digest_sql(shape, walk.after, upto))
    sentence = _unread(shape, digests)
    if sentence:
        return Step(replace(walk, sentence=sentence))
    written, read = is_written(shape, snapshots), digests[snapshots.node_ids[0]].rows
    moved = replace(walk, after=upto, at_end=upto is None)
    counted = replace(moved, rows=walk.rows + read, while_written=walk.while_written + (read if written else 0))
    if _are_equal(digests):
        return Step(counted)
    if max(digest.rows for digest in digests.values()) > _ROWS_MORE * rows:
        counts = ", ".join(f"{digest.rows} on {node_id}" for node_id, digest in digests.items())
        return Step(replace(walk, sentence=f"One range of {shape.name} has {counts} rows: the rest was not compared."))
    return _judged(shape, counted, snapshots, _apart(_rows_in(shape, snapshots, walk.after, upto, rows), snapshots))


def _rows_in(
    shape: TableShape, snapshots: Snapshots, after: Key | None, upto: Key | None, rows: int
) -> dict[str, dict[Key, str | None]]:
    found = snapshots.each(statements.rows_sql(shape, after, upto, rows * _ROWS_MORE))
    return {node_id: statements.keyed_digests(shape, some) for node_id, some in found.items()}


def _judged(
    shape: TableShape, walk: Walk, snapshots: Snapshots, apart: Mapping[Key, Sequence[tuple[str, Apart]]]
) -> Step:
    """Rows that differ are known where the table was not touched; others are looked at again."""
    if is_written(shape, snapshots):
        doubts = (*walk.doubts, *map(Doubt, apart))
        return Step(_limited(shape, replace(walk, doubts=doubts)))
    found = tuple(Difference(node, key, how, is_confirmed=True) for key, each in apart.items() for node, how in each)
    return Step(_limited(shape, replace(walk, different=walk.different + len(apart))), found)


def _look_again(shape: TableShape, walk: Walk, snapshots: Snapshots) -> Step:
    """Rows that differed are equal now, differ where nothing lies between, or stay in doubt."""
    asked, rest = walk.doubts[:LOOKED_UP], walk.doubts[LOOKED_UP:]
    keys = [doubt.key for doubt in asked if doubt.key is not None]
    found = snapshots.each(statements.keys_sql(shape, keys))
    digests = {node_id: statements.keyed_digests(shape, rows) for node_id, rows in found.items()}
    apart, written = _apart(digests, snapshots), is_written(shape, snapshots)
    told, kept = list[Difference](), list[Doubt]()
    for doubt in asked:
        for node_id, how in apart.get(doubt.key, ()) if doubt.key is not None else ():
            if not written or doubt.looks >= MOST_LOOKS:
                told.append(Difference(node_id, doubt.key, how, is_confirmed=not written))
        if doubt.key in apart and written and doubt.looks < MOST_LOOKS:
            kept.append(replace(doubt, looks=doubt.looks + 1))
    different = walk.different + len({difference.key for difference in told})
    return Step(_limited(shape, replace(walk, doubts=(*rest, *kept), different=different)), tuple(told))


def _as_whole(shape: TableShape, walk: Walk, snapshots: Snapshots) -> Step:
    """A table without a key is one chunk of which no row can be named."""
    digests = _digests(snapshots, statements.digest_sql(shape))
    sentence = _unread(shape, digests)
    if sentence:
        return Step(replace(walk, sentence=sentence))
    written, reference = is_written(shape, snapshots), digests[snapshots.node_ids[0]]
    done = replace(walk, at_end=True, doubts=(), rows=reference.rows, while_written=reference.rows if written else 0)
    if _are_equal(digests):
        return Step(done)
    looks = walk.doubts[0].looks if walk.doubts else 1
    if written and looks < MOST_LOOKS:
        return Step(replace(done, rows=0, while_written=0, doubts=(Doubt(None, looks + 1),)))
    found = tuple(
        Difference(node_id, None, _how(reference.rows, digest.rows), is_confirmed=not written)
        for node_id, digest in digests.items()
        if digest != reference
    )
    return Step(replace(done, different=1), found)


def _how(expected: int, held: int) -> Apart:
    if expected == held:
        return Apart.DIFFERENT
    return Apart.MISSING if held < expected else Apart.EXTRA


def _limited(shape: TableShape, walk: Walk) -> Walk:
    if walk.different <= MOST_DIFFERENT and len(walk.doubts) <= MOST_DIFFERENT:
        return walk
    more = f"More than {MOST_DIFFERENT} rows of {shape.name} differ: the rest was not compared."
    return replace(walk, doubts=(), sentence=more)


def _digests(snapshots: Snapshots, sql: str) -> dict[str, Digest]:
    return {node_id: Digest.of(rows[0]) for node_id, rows in snapshots.each(sql).items()}


def _are_equal(digests: Mapping[str, Digest]) -> bool:
    return len(set(digests.values())) == 1


def _unread(shape: TableShape, digests: Mapping[str, Digest]) -> str:
    """Why the digests tell nothing; empty where they do."""
    unread = [f"{digest.unread} on {node_id}" for node_id, digest in digests.items() if digest.unread]
    return f"The server could not compute rows of {shape.name}: {', '.join(unread)}." if unread else ""


def _apart(digests: Mapping[str, Mapping[Key, str | None]], snapshots: Snapshots) -> dict[Key, list[tuple[str, Apart]]]:
    """How each node's row differs from the reference's, by key; what could not be computed equals nothing."""
    reference_id, *others = snapshots.node_ids
    reference = digests[reference_id]
    found: dict[Key, list[tuple[str, Apart]]] = {}
    for node_id in others:
        held = digests[node_id]
        for key, how in _between(reference, held):
            found.setdefault(key, []).append((node_id, how))
    return found


def _between(reference: Mapping[Key, str | None], held: Mapping[Key, str | None]) -> Iterator[tuple[Key, Apart]]:
    for key, digest in reference.items():
        if key not in held:
            yield key, Apart.MISSING
        elif digest is None or held[key] != digest:
            yield key, Apart.DIFFERENT
    yield from ((key, Apart.EXTRA) for key in held if key not in reference)


def walk_to_json(walk: Walk) -> dict[str, Any]:
    """A walk as plain data, so that it goes on after a restart."""
    return {
        "after": image_to_json(walk.after),
        "at_end": walk.at_end,
        "rows": walk.rows,
        "while_written": walk.while_written,
        "doubts": [[image_to_json(doubt.key), doubt.looks] for doubt in walk.doubts],
        "different": walk.different,
        "sentence": walk.sentence,
    }


def walk_from_json(data: Mapping[str, Any]) -> Walk:
    """Inverse of `walk_to_json`; an empty one begins a walk."""
    if not data:
        return Walk()
    doubts = tuple(Doubt(image_from_json(key), looks) for key, looks in data["doubts"])
    return Walk(**{**data, "after": image_from_json(data["after"]), "doubts": doubts})
