"""Builds a reprotect plan's report: the orphans, and on which nodes they can be replayed or undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from backend.clusters.models import Link
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.orphans.conflicts import Conflict, ReplayJudge
from backend.core.orphans.decisions import Decisions, Resolution, read_decisions
from backend.core.orphans.model import OrphanList, TableCount, TableShape
from backend.core.orphans.progress_marker import (
    MarkerProgress,
    OrphanAction,
    parse_marker,
    pending_range,
    read_marker,
)
from backend.core.orphans.report import (
    REPLAY,
    UNDO,
    OrphanReport,
    first_statements,
    refusals_of,
)
from backend.core.orphans.rows.information_schema import differences, read_shapes, read_triggers
from backend.core.orphans.schema_changes.checks import SchemaChecks
from backend.core.orphans.schema_changes.projection import ProjectedList, RowsWithoutTables
from backend.core.orphans.tally import refusal_of
from backend.core.orphans.undo import UndoJudge
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.gateway.excess_grants import ROWS
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import held_privileges, schema_pattern
from backend.gateway.orphan_rows import CHECK_S, LinkRows
from backend.gateway.reader import Reader
from backend.transactions.orphans.models import OrphanScan
from backend.transactions.orphans.scanning import sides
from backend.transactions.orphans.selectors import NOT_NEEDED
from backend.transactions.orphans.selectors import orphan_list as kept_book
from backend.transactions.orphans.services import scan_with


def orphans_for_plan(
    link: Link,
    gateway: NodeGateway,
    facts: LinkFacts,
    *,
    choice: str = "attach",
    replay_node_id: str | None = None,
    undo_node_id: str | None = None,
    decisions: Sequence[Mapping[str, Any]] = (),
) -> OrphanReport:
    """The report; `replay_node_id` is a node of the new active side, `undo_node_id` one of the returned side.

    Nothing is changed on a server. What a server does not return is a refusal that names it.
    """
    divergence = facts.divergence
    if divergence is None:
        return OrphanReport("not_needed", NOT_NEEDED)
    scan = scan_with(link, divergence, facts, gateway)
    report = _report(scan, divergence, facts)
    if scan.state != "found" or choice not in (REPLAY, UNDO):
        return report
    book = kept_book(scan.id)
    ways = _ActionChecks(report, book, gateway, decisions=read_decisions(decisions))
    ways.check_book()
    if undo_node_id is not None and replay_node_id is not None:
        ways.check_definitions(undo_node_id, replay_node_id)
        ways.check_undo(undo_node_id, replay_node_id, replays=choice == REPLAY)
    if choice == REPLAY and replay_node_id is not None:
        ways.check_replay(replay_node_id)
    return ways.report()


def _report(scan: OrphanScan, divergence: Divergence, facts: LinkFacts) -> OrphanReport:
    _, survivor = sides(facts, divergence)
    return OrphanReport(
        state=scan.state,
        detail=scan.detail,
        scan_id=scan.id,
        digest=scan.digest,
        marker_key=divergence.run_id or scan.link_id,
        cluster_id=scan.cluster_id,
        node_id=scan.node_id,
        node=scan.node,
        survivor_ids=survivor.server_ids,
        begins=FilePosition.parse(scan.first_position) if scan.first_position else None,
        ends=FilePosition.parse(scan.last_position) if scan.last_position else None,
        transactions=scan.transactions,
        rows=scan.rows,
        tables=tuple(TableCount(**table) for table in scan.tables),
    )


@dataclass(slots=True)
class _ActionChecks:
    """Checks whether the orphans can be replayed and undone, and collects every reason against it."""

    base: OrphanReport
    book: OrphanList
    gateway: NodeGateway
    replay: list[str] = field(default_factory=list)
    undo: list[str] = field(default_factory=list)
    grants: list[tuple[str, str]] = field(default_factory=list)
    conflicts: tuple[Conflict, ...] = ()
    undo_conflicts: list[Conflict] = field(default_factory=list)
    settled_rows: int = 0
    done: dict[OrphanAction, int] = field(default_factory=dict)
    schema: SchemaChecks | None = None
    decisions: Decisions = field(default_factory=Decisions)
    resolutions: tuple[Resolution, ...] = ()
    meaningless: tuple[str, ...] = ()

    @property
    def rows(self) -> LinkRows:
        """The row sessions of both sides."""
        return LinkRows(self.gateway)

    def report(self) -> OrphanReport:
        """The report with the results of all checks."""
        return replace(
            self.base,
            replay_refusals=tuple(self.replay),
            undo_refusals=tuple(self.undo),
            missing_grants=tuple(dict.fromkeys(self.grants)),
            conflicts=self.conflicts,
            resolutions=self.resolutions,
            meaningless=self.meaningless,
            undo_conflicts=tuple(self.undo_conflicts),
            settled_rows=self.settled_rows,
            schema_changes=self.schema.count if self.schema else 0,
            settled_changes=self.schema.settled if self.schema else (),
            replayed=self.done.get(OrphanAction.REPLAY, 0),
            undone=self.done.get(OrphanAction.UNDO, 0),
            shown_replay=self._shown_replay(),
            shown_undo=() if self.undo else first_statements(self.book, OrphanAction.UNDO),
        )

    def _shown_replay(self) -> tuple[str, ...]:
        if self.replay or self.undo:
            return ()
        return first_statements(self.book, OrphanAction.REPLAY, self.resolutions)

    def check_book(self) -> None:
        """Collect the reasons that lie in the orphans themselves."""
        self.undo += refusals_of(self.book)
        self.undo += [why for one in self.book.changes if (why := refusal_of(one)) and why not in self.undo]

    def check_definitions(self, undo_node_id: str, replay_node_id: str) -> None:
        """Compare the tables on both sides, where orphans changed table definitions."""
        if self.undo or not self.book.changes:
            return
        readers = self.gateway.reader(undo_node_id), self.gateway.reader(replay_node_id)
        try:
            self.schema = SchemaChecks(self.book, *readers)
        except NodeError as error:
            self.undo.append(f"the tables on {error.node} cannot be compared: {error.message}")

    def _there(self) -> Mapping[str, TableShape]:
        """The orphans' tables on the survivor, which may lack what they changed."""
        return self.book.table_definitions if self.schema is None else self.schema.survivor

    def check_undo(self, node_id: str, survivor_id: str, *, replays: bool) -> None:
        """Check an undo on the returned side's node: its reasons against it, and its conflicting rows."""
        reached = self._check_node(node_id, OrphanAction.UNDO, self.undo)
        if self.undo or self.grants:
            return
        book = ProjectedList(self.book, self._there())
        chosen = book.descending(pending_range(OrphanAction.UNDO, len(self.book), reached).start)
        with closing(self.rows.on(node_id)) as own, closing(self.rows.on(survivor_id)) as survivor:
            try:
                if self.schema is not None and reached is None:
                    self.undo += self.schema.against_undo(own.session, self.base.tables)
                survivor_rows = RowsWithoutTables(survivor, self.book.table_definitions, self._there())
                judge = UndoJudge(book, own, survivor_rows, self.book.overwritten, is_replayed=lambda _, __: replays)
                for part in judge.parts(chosen):
                    self.settled_rows += part.settled
                    if part.conflict is not None:
                        self.undo_conflicts.append(part.conflict)
            except NodeError as error:
                self.undo.append(f"the rows on {own.node} cannot be compared: {error.message}")
                return

    def check_replay(self, node_id: str) -> None:
        """Check a replay on the active side's node: its reasons against it, and its conflicting rows."""
        reached = self._check_node(node_id, OrphanAction.REPLAY, self.replay)
        if self.replay or self.undo or self.grants:
            return
        book = ProjectedList(self.book, self._there())
        chosen = book.ascending(pending_range(OrphanAction.REPLAY, len(self.book), reached).start)
        with closing(self.rows.on(node_id)) as rows:
            try:
                if self.schema is not None and reached is None:
                    self.replay += self.schema.against_replay(rows.session)
                survivor_rows = RowsWithoutTables(rows, self.book.table_definitions, self._there())
                judge = ReplayJudge(book.table_definitions, survivor_rows.count, self.decisions, survivor_rows)
                self.conflicts = tuple(judge.conflicts(chosen))
                self.resolutions = tuple(judge.resolutions)
                self.meaningless = self.decisions.meaningless()
            except NodeError as error:
                self.replay.append(f"the rows on {rows.node} cannot be compared: {error.message}")

    def _check_node(self, node_id: str, way: OrphanAction, refusals: list[str]) -> MarkerProgress | None:
        name = self.gateway.access(node_id).ref.name
        try:
            table_definitions = read_shapes(self.gateway.reader(node_id), _tables(self.book))
            changed = {one.change.name for one in self.book.changes if one.change is not None}
            refusals += [
                f"{why} (on {name})"
                for shape in self.book.table_definitions.values()
                if shape.name not in changed and (why := _misfit(shape, table_definitions))
            ]
            refusals += [f"{why} (on {name})" for shape in table_definitions.values() for why in shape.refusals]
            self._check_account(node_id, way, refusals)
            return self._check_marker(node_id, way, refusals)
        except NodeError as error:
            refusals.append(f"{name} could not be queried: {error.message}")
            return None

    def _check_account(self, node_id: str, way: OrphanAction, refusals: list[str]) -> None:
        """Check the privileges first: without TRIGGER the list of triggers is always empty."""
        reader = self._operator(node_id)
        try:
            held = held_privileges(reader)
            needed: dict[str, tuple[str, ...]] = dict.fromkeys(
                sorted({shape.schema for shape in self.book.table_definitions.values()}), ROWS
            )
            for schema, names in (self.schema.privileges(way) if self.schema else {}).items():
                needed[schema] = tuple(dict.fromkeys((*needed.get(schema, ()), *names)))
            for schema, names in needed.items():
                if lacking := held.lacks(names, schema):
                    self.grants.append((reader.node.name, _grant(lacking, schema, held.account)))
            for table, triggers in read_triggers(reader, self.book.table_definitions).items():
                refusals.append(f"{table} has triggers ({', '.join(triggers)}), which the written rows would fire")
        finally:
            reader.close()

    def _check_marker(self, node_id: str, way: OrphanAction, refusals: list[str]) -> MarkerProgress | None:
        name = self.gateway.access(node_id).ref.name
        try:
            rows = self.gateway.reader(node_id).query(read_marker(self.base.marker_key, way))
        except NodeError as error:
            refusals.append(f"hawser.probe, which stores the progress, could not be read on {name}: {error.message}")
            return None
        reached = parse_marker(str(rows[0]["token"])) if rows else None
        if reached is not None and not reached.is_of(self.book.digest):
            refusals.append(f"{name} has the progress of an earlier {way.value} of another list of transactions")
            return None
        self.done[way] = len(self.book) - len(pending_range(way, len(self.book), reached))
        return reached

    def _operator(self, node_id: str) -> Reader:
        access = self.gateway.access(node_id)
        return Reader(access.ref, access.operator, read_s=CHECK_S)


def _grant(privileges: Sequence[str], schema: str, account: str) -> str:
    """The statement for an operator to copy; a sentence where the account (empty then) is not safe in SQL."""
    names, where = ", ".join(privileges), schema_pattern(schema)
    if account:
        return f"GRANT {names} ON {where}.* TO {account};"
    return (
        f"Give the operator account {names} on {where}. Hawser offers no statement, because the account's name cannot "
        "be quoted safely."
    )


def _tables(book: OrphanList) -> list[tuple[str, str]]:
    return [(shape.schema, shape.table) for shape in book.table_definitions.values()]


def _misfit(shape: TableShape, there: Mapping[str, TableShape]) -> str:
    return differences(shape, there.get(shape.name))
