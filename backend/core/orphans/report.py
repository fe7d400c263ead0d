"""A plan's report on a link's orphans: what was found, what may be done with it, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.core.findings import Finding, Severity
from backend.core.orphans.conflicts import Conflict
from backend.core.orphans.decisions import MAX_RESOLVED, Resolution, resolved_statements
from backend.core.orphans.model import OrphanList, OrphanTransaction, TableCount
from backend.core.orphans.progress_marker import OrphanAction
from backend.core.orphans.schema_changes.statements import replay_change, undo_change
from backend.core.orphans.statements import undo_statements
from backend.core.plural import pluralize
from backend.core.ports import RowStatement, SchemaStatement
from backend.core.positions import FilePosition

ATTACH, REPLAY, UNDO, REBUILD = "attach", "replay", "undo", "rebuild"
SHOWN_STATEMENTS = 20
SHOWN_CONFLICTS = 200
"""A plan lists up to this many; of more it states the number."""
_EXPORT = "Export them first. No other copy exists."
_ACCEPT = "To continue, accept the loss."


@dataclass(frozen=True, slots=True)
class OrphanReport:
    """State is not_needed, none, found or unknown; the refusals say in words why a choice is not possible."""

    state: str
    detail: str
    scan_id: str = ""
    digest: str = ""
    marker_key: str = ""
    cluster_id: str = ""
    node_id: str = ""
    node: str = ""
    survivor_ids: tuple[int, ...] = ()
    begins: FilePosition | None = None
    ends: FilePosition | None = None
    transactions: int = 0
    rows: int = 0
    tables: tuple[TableCount, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    undo_conflicts: tuple[Conflict, ...] = ()
    schema_changes: int = 0
    settled_changes: tuple[int, ...] = ()
    """Statements with IF NOT EXISTS about a table that both sides have: replay and undo leave it unchanged."""
    settled_rows: int = 0
    """Rows of the returned side that already have the wanted values; an undo leaves them unchanged."""
    resolutions: tuple[Resolution, ...] = ()
    """The decisions on rows in conflict, for each orphan that touches one."""
    meaningless: tuple[str, ...] = ()
    """Decisions about rows and tables without a conflict."""
    replay_refusals: tuple[str, ...] = ()
    undo_refusals: tuple[str, ...] = ()
    missing_grants: tuple[tuple[str, str], ...] = ()
    """The nodes that lack a grant, each with the statement that grants it."""
    replayed: int = 0
    undone: int = 0
    shown_replay: tuple[str, ...] = ()
    shown_undo: tuple[str, ...] = ()

    def findings(self, choice: str, *, skip_conflicts: bool = False, accepts_loss: bool = False) -> tuple[Finding, ...]:
        """The plan's findings on orphans; a choice that is not possible, or a loss not accepted, refuses the plan."""
        facts = self.to_json()
        if self.state == "not_needed":
            return ()
        if self.state == "unknown":
            remedy = (
                "Start a node of that side whose binary log reaches back to the failover, and grant REPLICATION SLAVE "
                "and REFERENCES to its monitor account. Or choose rebuild."
            )
            severity = Severity.WARNING if choice == REBUILD and accepts_loss else Severity.UNKNOWN
            if choice == REBUILD:
                remedy = f"A rebuild discards every transaction that only this side has. {_ACCEPT}"
                facts = {**facts, "option": "accept_loss"}
            return (Finding("orphans_unknown", severity, self.detail, remedy, facts),)
        if self.state == "none":
            return (Finding("orphans_none", Severity.OK, self.detail, "", facts),)
        if choice == REBUILD:
            severity = Severity.WARNING if accepts_loss else Severity.BLOCKER
            message = f"{self.detail} A rebuild of this side discards them."
            facts = {**facts, "option": "accept_loss"}
            return (Finding("orphans_rebuild", severity, message, f"{_EXPORT} {_ACCEPT}", facts),)
        return tuple(self._found(choice, facts, skip_conflicts=skip_conflicts))

    def _found(self, choice: str, facts: dict[str, Any], *, skip_conflicts: bool) -> list[Finding]:
        if choice == ATTACH:
            remedy = "Review them and choose: replay them on the active side, undo them here, or rebuild this side."
            return [Finding("orphans_found", Severity.BLOCKER, self.detail, remedy, facts)]
        refusals = self.undo_refusals + (self.replay_refusals if choice == REPLAY else ())
        found = [
            Finding(
                "orphans_refused",
                Severity.BLOCKER,
                f"Orphaned transactions cannot be handled this way: {why}.",
                "Choose rebuild.",
                facts,
            )
            for why in dict.fromkeys(refusals)
        ]
        for node, grant in self.missing_grants:
            what = "rows and table definitions" if self.schema_changes else "rows"
            message = f"On {node} the operator account lacks the privileges to change the application's {what}."
            found.append(Finding("orphans_grants", Severity.BLOCKER, message, grant, {**facts, "node": node}))
        if self.undo_conflicts:
            found.append(self._not_undone(facts))
        if choice == REPLAY:
            found += self._decided(facts)
        if choice == REPLAY and self.conflicts:
            found.append(self._conflicting(facts, skip_conflicts=skip_conflicts))
        if choice == REPLAY and self.schema_changes:
            found.append(self._in_total_order(facts))
        return found or [self._ready(choice, facts)]

    def _in_total_order(self, facts: dict[str, Any]) -> Finding:
        message = (
            f"{self.schema_changes:,} of {pluralize(self.transactions, 'transaction')} change table definitions. Each "
            "runs in total order isolation (TOI), which blocks all other writes of the active cluster."
        )
        remedy = "If they rebuild or index large tables, replay them at a time of low load."
        return Finding("orphans_schema_changes", Severity.WARNING, message, remedy, facts)

    def _ready(self, choice: str, facts: dict[str, Any]) -> Finding:
        if choice == UNDO:
            message = f"{_are(self.transactions)} undone on the returned side, newest first, and lost."
            return Finding("orphans_undo", Severity.WARNING, message, _EXPORT, facts)
        message = f"{_are(self.transactions)} replayed on the active side. Each row is compared before it is changed."
        return Finding("orphans_replay", Severity.OK, message, "", facts)

    def _not_undone(self, facts: dict[str, Any]) -> Finding:
        listed = "; ".join(f"{c.index + 1} ({c.table}: {c.reason})" for c in self.undo_conflicts[:10])
        more = f" and {len(self.undo_conflicts) - 10} more" if len(self.undo_conflicts) > 10 else ""
        message = (
            f"{len(self.undo_conflicts):,} of {pluralize(self.transactions, 'transaction')} cannot be undone on the "
            f"returned side: {listed}{more}."
        )
        remedy = "Restore these rows on the returned side to their values before the transaction, or choose rebuild."
        return Finding("orphans_undo_conflict", Severity.BLOCKER, message, remedy, facts)

    def _decided(self, facts: dict[str, Any]) -> Iterator[Finding]:
        for name in self.meaningless:
            message = f"A decision names the {name}, which has no conflict."
            remedy = "Remove it from conflict_decisions, and review the conflicts again."
            yield Finding("decision_without_conflict", Severity.BLOCKER, message, remedy, facts)
        if len(self.resolutions) > MAX_RESOLVED:
            message = f"The decisions cover {len(self.resolutions):,} rows; the maximum is {MAX_RESOLVED:,}."
            remedy = "Skip these transactions, or rebuild this side."
            yield Finding("too_many_decisions", Severity.BLOCKER, message, remedy, facts)
        elif self.resolutions:
            retained = sum(not one.is_written for one in self.resolutions)
            replaced = len(self.resolutions) - retained
            message = (
                f"By decision, {pluralize(retained, 'orphaned change')} {'is' if retained == 1 else 'are'} discarded "
                f"for the active side's rows, and {pluralize(replaced, 'row')} of the active side "
                f"{'is' if replaced == 1 else 'are'} replaced."
            )
            yield Finding("orphans_decided", Severity.WARNING, message, _EXPORT, facts)

    def _conflicting(self, facts: dict[str, Any], *, skip_conflicts: bool) -> Finding:
        shown = self.conflicts if skip_conflicts else [c for c in self.conflicts if c.decision is None]
        shown = shown or self.conflicts
        count = f"{len({c.index for c in shown}):,} of {pluralize(self.transactions, 'transaction')}"
        shown = [c for c in shown if c.depends_on is None] or shown  # the others follow these
        listed = "; ".join(f"{c.index + 1} ({c.table}: {c.reason})" for c in shown[:10])
        more = f" and {len(shown) - 10} more" if len(shown) > 10 else ""
        if skip_conflicts or all(c.decision for c in self.conflicts):
            message = f"{count} are not replayed and are lost: {listed}{more}."
            return Finding("orphans_conflict", Severity.WARNING, message, _EXPORT, facts)
        message = f"{count} cannot be replayed: {listed}{more}."
        remedy = (
            "Decide by row or table (conflict_decisions: keep_active, take_orphan or leave_out), fix the rows "
            "on the active side, or skip all these transactions (skip_conflicts)."
        )
        return Finding("orphans_conflict", Severity.BLOCKER, message, remedy, facts)

    def to_json(self) -> dict[str, Any]:
        """The summary, as plans and the API return it."""
        return {
            "state": self.state,
            "scan_id": self.scan_id,
            "node": self.node,
            "transactions": self.transactions,
            "rows": self.rows,
            "tables": [
                {"schema": t.schema, "table": t.table, "inserts": t.inserts, "updates": t.updates, "deletes": t.deletes}
                for t in self.tables
            ],
            "conflicts": [conflict.to_json() for conflict in self.conflicts[:SHOWN_CONFLICTS]],
            "undo_conflicts": [conflict.to_json() for conflict in self.undo_conflicts[:SHOWN_CONFLICTS]],
            "schema_changes": self.schema_changes,
            "resolutions": len(self.resolutions),
            "settled_rows": self.settled_rows,
            "replayed": self.replayed,
            "undone": self.undone,
        }


def _are(count: int) -> str:
    return f"{pluralize(count, 'transaction')} {'is' if count == 1 else 'are'}"


def replay_params(report: OrphanReport, *, skip_conflicts: bool = False) -> dict[str, Any]:
    """Params of the step `replay`."""
    chosen = [one for one in report.conflicts if skip_conflicts or one.decision is not None]
    skipped = list(dict.fromkeys(conflict.index for conflict in chosen))
    resolutions = [one.to_json() for one in report.resolutions]
    return {**_params(report), "skip": skipped, "resolutions": resolutions}


def undo_params(
    report: OrphanReport, survivor_node_id: str, *, replays: bool = False, skip_conflicts: bool = False
) -> dict[str, Any]:
    """Params of the step `undo_orphans`; rows of the returned side are compared with those of that node, too.

    `not_replayed`: the orphans that a replay before it skips; None where nothing is replayed.
    """
    left_out = replay_params(report, skip_conflicts=skip_conflicts)["skip"] if replays else None
    retained = [one for one in report.resolutions if replays and not one.is_written]
    return {
        **_params(report),
        "skip": [],
        "resolutions": [],
        "survivor_node_id": survivor_node_id,
        "not_replayed": left_out,
        "kept_rows": [[one.index, one.row] for one in retained],
    }


def _params(report: OrphanReport) -> dict[str, Any]:
    return {
        "scan_id": report.scan_id,
        "digest": report.digest,
        "marker_key": report.marker_key,
        "count": report.transactions,
        "scan_node_id": report.node_id,
        "scan_end": str(report.ends),
        "survivor_ids": list(report.survivor_ids),
        "settled_changes": list(report.settled_changes),
    }


def shown_sql(report: OrphanReport, way: str) -> tuple[str, ...]:
    """The first statements of a choice, for the plan; the export has all of them."""
    return report.shown_replay if way == REPLAY else report.shown_undo


def first_statements(book: OrphanList, way: OrphanAction, resolutions: Sequence[Resolution] = ()) -> tuple[str, ...]:
    """The statements that `shown_sql` returns."""
    found: list[str] = []
    resolved = {(one.index, one.row): one for one in resolutions}
    chosen = book.ascending() if way is OrphanAction.REPLAY else book.descending(len(book) - 1)
    for transaction in chosen:
        if len(found) >= SHOWN_STATEMENTS:
            return (*found[:SHOWN_STATEMENTS], f"-- and more: {pluralize(len(book), 'transaction')} in total")
        if (change := schema_statement_of(transaction, way)) is not None:
            found.append(change.sql)
        found += [statement.sql for statement in statements_of(book, transaction, way, resolved)]
    return tuple(found)


def statements_of(
    book: OrphanList,
    transaction: OrphanTransaction,
    way: OrphanAction,
    resolutions: Mapping[tuple[int, str], Resolution],
) -> tuple[RowStatement, ...]:
    """One orphan's statements for an action, under the decisions on its rows."""
    if way is OrphanAction.REPLAY:
        return resolved_statements(transaction, book.table_definitions, resolutions)
    return undo_statements(transaction, book.table_definitions)


def schema_statement_of(transaction: OrphanTransaction, way: OrphanAction) -> SchemaStatement | None:
    """The table definition change for an action; None where there is none, or it left no trace."""
    if transaction.change is None or transaction.is_void:
        return None
    make = replay_change if way is OrphanAction.REPLAY else undo_change
    return make(transaction.change)


def refusals_of(book: OrphanList) -> tuple[str, ...]:
    """Why neither replay nor undo can be exact, from the orphans themselves."""
    found = [why for shape in book.table_definitions.values() for why in shape.refusals]
    return (*book.refusals, *found)
