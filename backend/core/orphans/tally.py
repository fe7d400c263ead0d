"""Counts a list of orphans while it is read: its digest, its tables, and why some cannot be replayed or undone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from backend.core.orphans.model import Operation, OrphanTransaction, TableCount, TransactionKind

SHOWN_REFUSALS = 20


class ListDigest:
    """SHA-256 over the orphans' contents: it identifies their list."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._is_first = True

    def add(self, content: str) -> None:
        """Add the next orphan's content."""
        self._hash.update((content if self._is_first else f"\n{content}").encode())
        self._is_first = False

    def hexdigest(self) -> str:
        """The digest of all added so far."""
        return self._hash.hexdigest()


@dataclass(slots=True)
class OrphanTally:
    """The counts, complete once `counted` has ended. Times are Unix seconds, None where unknown."""

    count: int = 0
    rows: int = 0
    first_at_s: int | None = None
    last_at_s: int | None = None
    refused: int = 0
    refusals: list[str] = field(default_factory=list)
    digest: ListDigest = field(default_factory=ListDigest)
    changes: list[int] = field(default_factory=list)
    """The indexes of those that change a table definition."""
    _tables: dict[tuple[str, str], dict[Operation, int]] = field(default_factory=dict)

    def counted(self, transactions: Iterable[OrphanTransaction]) -> Iterator[OrphanTransaction]:
        """The same transactions, each counted as it passes."""
        for one in transactions:
            self._add(one)
            yield one

    def _add(self, one: OrphanTransaction) -> None:
        self.count += 1
        self.rows += len(one.rows)
        self.digest.add(one.content)
        if one.at_s:
            self.first_at_s = min(one.at_s, self.first_at_s or one.at_s)
            self.last_at_s = max(one.at_s, self.last_at_s or one.at_s)
        for row in one.rows:
            counts = self._tables.setdefault((row.schema, row.table), dict.fromkeys(Operation, 0))
            counts[row.operation] += 1
        if one.kind is TransactionKind.DDL:
            self.changes.append(one.index)
        if why := refusal_of(one):
            self.refused += 1
            if len(self.refusals) < SHOWN_REFUSALS:
                self.refusals.append(why)

    @property
    def tables(self) -> tuple[TableCount, ...]:
        """The rows by table, sorted by table name."""
        return tuple(
            TableCount(*name, one[Operation.INSERT], one[Operation.UPDATE], one[Operation.DELETE])
            for name, one in sorted(self._tables.items())
        )


def refusal_of(one: OrphanTransaction) -> str:
    """Why an orphan can be neither replayed nor undone; empty where both are possible."""
    if one.kind is TransactionKind.DDL:
        if one.change is not None and not one.refusal:
            return ""
        why = one.refusal or "an earlier version of Hawser read it; scan for orphaned transactions again"
        return f"transaction {one.index + 1} changes a table definition: {why} ({(one.statement or '')[:80]})"
    return f"transaction {one.index + 1}: {one.refusal}" if one.refusal else ""
