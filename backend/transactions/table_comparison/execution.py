"""Goes on with a comparison for some seconds; what it found is stored after each chunk, so that another goes on there.

Snapshots are short: as long as one is open the servers keep the rows of before, and a schema change waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.clusters.models import Node
from backend.common.events import services as events
from backend.core.orphans.model import TableShape
from backend.core.orphans.serialization import image_to_json, shape_from_json, shape_to_json
from backend.core.plural import pluralize
from backend.core.ports import NodeError
from backend.core.table_comparison import statements
from backend.core.table_comparison.definitions import LIST_SQL, Comparable, comparable, definition, tables_of
from backend.core.table_comparison.walk import (
    LOOKED_UP,
    Difference,
    Walk,
    is_written,
    step,
    walk_from_json,
    walk_to_json,
)
from backend.gateway.gateway import NodeGateway
from backend.gateway.table_snapshots import SnapshotReader, TableSnapshots, open_snapshots
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.recording.unsafe_periods import record_compared
from backend.transactions.table_comparison.models import (
    ComparedTable,
    RowDifference,
    State,
    TableComparison,
    TableState,
)

SLICE_S = 5.0
SNAPSHOT_S = 2.0
QUIET_TRIES = 3
"""So often snapshots are taken anew where the table was being written between them."""
CHUNK_S = 0.1
"""The size of chunks is chosen so that one takes about this time."""
FEWEST, FIRST, MOST = 100, 1_000, 20_000
READ_S = 30.0
"""No statement takes longer: a table without a key is read by one."""
BETWEEN_LOOKS_S = 0.2
IMAGES = 50
_CHANGED = frozenset({1054, 1146, 1412})
"""No such column or table, and a snapshot that is older than the table's definition: it is read anew."""
_NOT_READ = {
    1142: "Grant the operator account SELECT on its schema, and compare it again.",
    1143: "Grant the operator account SELECT on its schema, and compare it again.",
    1969: f"A statement may take {READ_S:g} s here: without a key the table is read by one.",
}
log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Pace:
    """How many rows the next chunk has, and how long to rest behind it."""

    rows_per_s: int
    busy_percent: int
    rows: int

    def rest_s(self, took_s: float, rows: int) -> float:
        """After a chunk that took so long; the next one is smaller, or larger."""
        wanted = int(self.rows * CHUNK_S / max(took_s, 0.001))
        self.rows = max(FEWEST, min(MOST, self.rows * 2, wanted))
        by_share = took_s * (100 / self.busy_percent - 1)
        return max(by_share, rows / self.rows_per_s - took_s, 0.0)


class Slice:
    """Some seconds of one comparison."""

    def __init__(self, comparison: TableComparison, gateway: NodeGateway, until_s: float) -> None:
        self._comparison, self._gateway, self._until_s = comparison, gateway, until_s
        self._pace = _Pace(comparison.rows_per_s, comparison.busy_percent, FIRST)
        accesses = [gateway.access(node_id) for node_id in comparison.node_ids]
        self._names = {access.ref.id: access.ref.name for access in accesses}
        self._readers = [SnapshotReader(access, read_s=READ_S) for access in accesses]

    def close(self) -> None:
        """End the sessions."""
        for reader in self._readers:
            reader.close()

    def run(self) -> None:
        """Compare until the time is over, it is no longer to run, or nothing is left; raises NodeError."""
        if not self._comparison.is_listed:
            self._list()
        while self._goes_on():
            table = self._next()
            if table is None:
                self._finish()
                return
            try:
                self._define(table) if not table.shape else self._compare(table)
            except NodeError as error:
                if not _is_of_table(table, error):
                    raise
            except Exception as error:  # one table must not keep the others from being compared
                log.exception("table_comparison.failed", table=table.name)
                _end(table, TableState.NOT_COMPARED, "not_read", f"The console could not compare it: {error}.")

    def _goes_on(self) -> bool:
        if time.monotonic() > self._until_s:
            return False
        return TableComparison.objects.filter(pk=self._comparison.pk, state=State.RUNNING).exists()

    def _next(self) -> ComparedTable | None:
        unfinished = [TableState.COMPARING, TableState.WAITING]
        return self._comparison.tables.filter(state__in=unfinished).order_by("state", "id").first()

    def _list(self) -> None:
        """Every table of any of the nodes: one that the reference lacks is none that is equal."""
        found: dict[str, int] = {}
        for node_id in self._names:
            for name, listed in tables_of(self._gateway.reader(node_id).query(LIST_SQL)).items():
                found[name] = max(found.get(name, 0), listed.rows)
        wanted = {name: rows for name, rows in found.items() if _is_wanted(name, self._comparison.only)}
        tables = [ComparedTable(comparison=self._comparison, name=n, estimated_rows=r) for n, r in wanted.items()]
        with transaction.atomic():
            ComparedTable.objects.bulk_create(tables)
            self._comparison.is_listed = True
            self._comparison.save(update_fields=["is_listed"])

    def _define(self, table: ComparedTable) -> None:
        schema, _, name = table.name.partition(".")
        read = {self._names[one]: definition(self._gateway.reader(one), schema, name) for one in self._names}
        decided = comparable(table.name, read)
        if isinstance(decided, Comparable):
            table.shape, table.left_out = shape_to_json(decided.shape), list(decided.left_out)
            table.state = TableState.COMPARING
            table.save(update_fields=["shape", "left_out", "state"])
        else:
            _end(table, TableState.NOT_COMPARED, decided.code, decided.sentence)

    def _compare(self, table: ComparedTable) -> None:
        shape, walk = shape_from_json(table.shape), walk_from_json(table.walk)
        snapshots = self._quiet_snapshots(shape)
        opened_s = time.monotonic()
        looks, was_at_end = ceil(len(walk.doubts) / LOOKED_UP), walk.at_end
        while not walk.is_done and time.monotonic() - opened_s < SNAPSHOT_S and self._goes_on():
            walk, looks = self._step(table, shape, walk, snapshots), looks - 1
            if walk.at_end and not (was_at_end and looks > 0):
                break  # each row in doubt is looked at once in the same snapshots
        snapshots.end()
        if walk.doubts:
            time.sleep(BETWEEN_LOOKS_S)
        if walk.is_done:
            _conclude(table, walk)

    def _quiet_snapshots(self, shape: TableShape) -> TableSnapshots:
        snapshots = open_snapshots(self._gateway, self._readers)
        for _ in range(QUIET_TRIES - 1):
            if not is_written(shape, snapshots):
                break
            snapshots = open_snapshots(self._gateway, self._readers)
        return snapshots

    def _step(self, table: ComparedTable, shape: TableShape, walk: Walk, snapshots: TableSnapshots) -> Walk:
        began_s = time.monotonic()
        taken = step(shape, walk, snapshots, self._pace.rows)
        took_s = time.monotonic() - began_s
        stored = list(self._differences(table, shape, snapshots, taken.found))
        with transaction.atomic():
            RowDifference.objects.bulk_create(stored)
            table.rows, table.while_written = taken.walk.rows, taken.walk.while_written
            table.different, table.walk = taken.walk.different, walk_to_json(taken.walk)
            table.save(update_fields=["rows", "while_written", "different", "walk"])
        time.sleep(self._pace.rest_s(took_s, taken.walk.rows - walk.rows))
        return taken.walk

    def _differences(
        self, table: ComparedTable, shape: TableShape, snapshots: TableSnapshots, found: Sequence[Difference]
    ) -> Iterator[RowDifference]:
        """With the images of the rows as of the same snapshots."""
        keys = [one.key for one in found if one.key is not None]
        images: dict[str, dict[statements.Key, list[object] | None]] = {node_id: {} for node_id in self._names}
        for some in _portions(list(dict.fromkeys(keys)), IMAGES):
            for node_id, rows in snapshots.each(statements.images_sql(shape, some)).items():
                read = statements.images_of(shape, rows)
                images[node_id] |= {key: image_to_json(image) for key, image in read.items()}
        now = timezone.now()
        for one in found:
            yield RowDifference(
                table=table,
                node_id=one.node_id,
                node=self._names[one.node_id],
                apart=one.apart.value,
                is_confirmed=one.is_confirmed,
                key=image_to_json(one.key),
                reference=None if one.key is None else images[snapshots.node_ids[0]].get(one.key),
                held=None if one.key is None else images[one.node_id].get(one.key),
                found_at=now,
            )

    def _finish(self) -> None:
        comparison = self._comparison
        sentence = summary(comparison)
        with transaction.atomic():
            ended = TableComparison.objects.filter(pk=comparison.pk, state=State.RUNNING).update(
                state=State.FINISHED, sentence=sentence, ended_at=timezone.now(), unfinished_link=None
            )
            if ended:
                states = set(comparison.tables.values_list("state", flat=True))
                events.raised(
                    link_id=comparison.link_id,
                    kind="tables.compared",
                    severity="ok" if states == {TableState.EQUAL} else "warning",
                    message=sentence,
                    actor=comparison.actor,
                )


def go_on(comparison: TableComparison) -> bool:
    """Compare for some seconds; whether nothing keeps it from going on: what does is stored as its sentence."""
    began_s = time.monotonic()
    gateway = gateway_for_link(comparison.link)
    try:
        one = Slice(comparison, gateway, time.monotonic() + SLICE_S)
    except KeyError:
        _say(comparison, "A node that is compared is no longer registered. Stop this comparison and begin a new one.")
        gateway.close()
        return False
    try:
        one.run()
    except NodeError as error:
        _say(comparison, f"Waits: {error}.")
        return False
    finally:
        one.close()
        gateway.close()
        worked_ms = round((time.monotonic() - began_s) * 1000)
        TableComparison.objects.filter(pk=comparison.pk).update(worked_ms=F("worked_ms") + worked_ms)
    if comparison.sentence.startswith("Waits: "):
        _say(comparison, "")
    return True


def summary(comparison: TableComparison) -> str:
    """What was compared, in a sentence."""
    counts = dict.fromkeys(TableState, 0)
    rows = written = 0
    for state, some, during in comparison.tables.values_list("state", "rows", "while_written"):
        counts[TableState(state)] += 1
        rows, written = rows + some, written + during
    if not any(counts.values()):
        return "No table was compared: the monitor account sees none of these names. Does it have REFERENCES on them?"
    parts = [f"{pluralize(sum(counts.values()), 'table')} and {pluralize(rows, 'row')} compared"]
    if written:
        parts.append(f"{written:,} of the rows while their tables were written")
    parts.append(f"{counts[TableState.EQUAL]:,} equal")
    if counts[TableState.DIFFERENT]:
        parts.append(f"{counts[TableState.DIFFERENT]:,} different")
    if counts[TableState.NOT_COMPARED]:
        parts.append(f"{counts[TableState.NOT_COMPARED]:,} not, or not whole, compared")
    return f"{', '.join(parts)}."


def _is_of_table(table: ComparedTable, error: NodeError) -> bool:
    """Whether the error says something of this table alone: it is begun anew, or is not compared."""
    if error.code in _CHANGED:
        table.shape, table.walk, table.rows, table.while_written = {}, {}, 0, 0
        table.save(update_fields=["shape", "walk", "rows", "while_written"])
    elif error.code in _NOT_READ:
        _end(table, TableState.NOT_COMPARED, "not_read", f"{error}. {_NOT_READ[error.code]}")
    return error.code in _CHANGED or error.code in _NOT_READ


def _say(comparison: TableComparison, sentence: str) -> None:
    TableComparison.objects.filter(pk=comparison.pk, state=State.RUNNING).update(sentence=sentence)
    comparison.sentence = sentence


def _conclude(table: ComparedTable, walk: Walk) -> None:
    if walk.different:
        _end(table, TableState.DIFFERENT, "rows_differ", walk.sentence)
        _tell(table)
    elif walk.sentence:
        _end(table, TableState.NOT_COMPARED, "not_read", walk.sentence)
    else:
        _end(table, TableState.EQUAL, "", "")


def _tell(table: ComparedTable) -> None:
    comparison = table.comparison
    nodes = sorted(set(table.differences.values_list("node", flat=True)))
    with transaction.atomic():
        for node_id, node in set(table.differences.filter(is_confirmed=True).values_list("node_id", "node")):
            of_node = RowDifference.objects.filter(table__comparison=comparison, node_id=node_id, is_confirmed=True)
            names = ", ".join(sorted(set(of_node.values_list("table__name", flat=True))))
            reference = Node.objects.filter(pk=comparison.node_ids[0]).values_list("name", flat=True).first()
            value = f"{reference}: {names}"
            record_compared(comparison.link_id, node_id, node, value, timezone.now().timestamp())
        events.raised(
            link_id=comparison.link_id,
            kind="tables.differ",
            severity="blocker",
            message=f"{pluralize(table.different, 'row')} of {table.name} differ on {', '.join(nodes)}.",
            actor=comparison.actor,
        )


def _end(table: ComparedTable, state: TableState, code: str, sentence: str) -> None:
    table.state, table.code, table.sentence, table.ended_at = state, code, sentence, timezone.now()
    table.save(update_fields=["state", "code", "sentence", "ended_at"])


def _is_wanted(name: str, only: Sequence[str]) -> bool:
    """Whether the table, or its schema, is among the names; of no names every table is."""
    return not only or name in only or name.partition(".")[0] in only


def _portions(keys: Sequence[statements.Key], size: int) -> Iterable[Sequence[statements.Key]]:
    return (keys[start : start + size] for start in range(0, len(keys), size))
