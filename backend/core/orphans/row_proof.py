"""Proves by simulation that the rows of a rebuilt side are exactly as of a backup position.

Transactions up to the position must be there: undone in simulation, the last first, each row is as the transaction
wrote it. Transactions after it must not: replayed in simulation, each row is as the transaction found it. A row that
a later one of them changed is followed from one to the next (`conflicts`). Only the two transactions next to
the position distinguish it from its neighbours, so both must touch rows that a key identifies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from backend.core.orphans.conflicts import Query, find_conflicts
from backend.core.orphans.model import Operation, OrphanTransaction, RowChange, TableShape, TransactionKind
from backend.core.orphans.transactions import OWN_SCHEMA
from backend.core.plural import pluralize
from backend.core.positions import FilePosition

MAX_TRANSACTIONS = 16
"""Transactions compared on each side of the position."""
_OPPOSITE = {
    Operation.INSERT: Operation.DELETE,
    Operation.UPDATE: Operation.UPDATE,
    Operation.DELETE: Operation.INSERT,
}
TableDefinitions = Mapping[str, TableShape]


@dataclass(frozen=True, slots=True)
class RowProof:
    """Whether the rows agree with the position: True, False, or None if unknown; `held` and `awaited` were compared."""

    agrees: bool | None
    detail: str
    held: tuple[OrphanTransaction, ...] = ()
    awaited: tuple[OrphanTransaction, ...] = ()


def prove_rows(
    before: Sequence[OrphanTransaction],
    after: Sequence[OrphanTransaction],
    table_definitions: TableDefinitions,
    query: Query,
    side: str,
) -> RowProof:
    """Compare the transactions up to the position and after it, oldest first; `query` counts rows on `side`.

    Raises what `query` raises.
    """
    held, why_before = _comparable(reversed(_with_rows(before)), table_definitions)
    awaited, why_after = _comparable(_with_rows(after), table_definitions)
    if not held:
        why = why_before or "no transaction with rows precedes it"
        return RowProof(None, f"Rows of {side} do not distinguish this position from the previous one: {why}.")
    if why_after and not awaited:
        return RowProof(None, f"Rows of {side} do not distinguish this position from the next one: {why_after}.")
    undone = find_conflicts([_inverse(one) for one in held], table_definitions, query)
    if undone:
        return RowProof(False, _against(undone[0].table, undone[0].seqno, side, "do not have the values it wrote"))
    redone = find_conflicts(awaited, table_definitions, query)
    if redone:
        return RowProof(False, _against(redone[0].table, redone[0].seqno, side, "do not have the values before it"))
    last = f"{pluralize(len(held), 'transaction')} up to the position {'is' if len(held) == 1 else 'are'}"
    following = f"The next {pluralize(len(awaited), 'transaction')} {'is' if len(awaited) == 1 else 'are'} not."
    detail = f"By rows, the last {last} in the tables of {side}. {following if awaited else 'No transaction follows.'}"
    return RowProof(True, detail, tuple(reversed(held)), tuple(awaited))


def prove_left(
    transactions: Sequence[OrphanTransaction],
    missing: Collection[FilePosition],
    table_definitions: TableDefinitions,
    query: Query,
    side: str,
) -> RowProof:
    """Do rows stand on `side` as these transactions left them, though its log lacks those that end at `missing`?

    Oldest first, up to the last that the side counts as applied: a row that a later one changed is followed back.
    Rows that no key names tell nothing of a missing transaction: a twin may stand in for its row. Raises what
    `query` raises.
    """
    for one in transactions:
        if why := _unreadable(one, table_definitions):
            return RowProof(None, f"rows of {side} cannot tell whether it is in effect there: {why}")
    decisive = {one.end for one in transactions if _is_identified_by_keys(one, table_definitions)}
    if not decisive.issuperset(missing):
        return RowProof(None, f"rows of {side} cannot tell whether it is in effect there: no key names all its rows")
    different = find_conflicts([_inverse(one) for one in reversed(transactions)], table_definitions, query)
    if different:
        return RowProof(False, _against(different[0].table, different[0].seqno, side, "are not there as it left them"))
    return RowProof(True, f"row by row, what it left stands in the tables of {side}", tuple(transactions))


def _is_identified_by_keys(one: OrphanTransaction, table_definitions: TableDefinitions) -> bool:
    """The console's own rows are not looked up, so they tell nothing."""
    return bool(one.rows) and all(
        row.schema != OWN_SCHEMA and table_definitions[row.definition].key for row in one.rows
    )


def _with_rows(transactions: Iterable[OrphanTransaction]) -> list[OrphanTransaction]:
    """The transactions without those that leave no trace in a row (an empty one)."""
    return [one for one in transactions if one.rows or one.kind is TransactionKind.DDL or one.refusal]


def _comparable(
    transactions: Iterable[OrphanTransaction], table_definitions: TableDefinitions
) -> tuple[list[OrphanTransaction], str]:
    """The comparable transactions from the position outwards, and why they end; none if the nearest is not decisive."""
    found: list[OrphanTransaction] = []
    for one in transactions:
        why = _unreadable(one, table_definitions)
        if why or len(found) == MAX_TRANSACTIONS:
            return found, why
        if not found and not _is_decisive(one, table_definitions):
            tables = ", ".join(sorted({row.name for row in one.rows}))
            return [], f"the transaction next to it ({_named(one)}) changes only rows that no key identifies ({tables})"
        found.append(one)
    return found, ""


def _unreadable(one: OrphanTransaction, table_definitions: TableDefinitions) -> str:
    if one.kind is TransactionKind.DDL:
        return f"a table definition is changed next to it ({(one.statement or '')[:80]})"
    if one.refusal:
        return one.refusal
    return next(
        (
            why
            for row in one.rows
            if row.definition in table_definitions
            for why in table_definitions[row.definition].refusals
        ),
        "",
    )


def _is_decisive(one: OrphanTransaction, table_definitions: TableDefinitions) -> bool:
    """Whether its rows differ before and after it, wherever it is applied."""
    rows = (row for row in one.rows if row.schema != OWN_SCHEMA)
    return any(table_definitions[row.definition].key and row.before != row.after for row in rows)


def _inverse(one: OrphanTransaction) -> OrphanTransaction:
    rows = tuple(
        RowChange(row.schema, row.table, _OPPOSITE[row.operation], row.after, row.before, row.version)
        for row in reversed(one.rows)
    )
    return replace(one, rows=rows)


def _named(one: OrphanTransaction) -> str:
    return f"seqno {one.seqno}" if one.seqno is not None else str(one.end)


def _against(table: str, seqno: int | None, side: str, how: str) -> str:
    return f"Rows of {table} that transaction {seqno if seqno is not None else '?'} changed {how} on {side}."
