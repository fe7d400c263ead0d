"""What a list of orphans is, counted while it is read: its digest, its tables, why single ones can go neither way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from backend.core.orphans.model import Operation, OrphanTransaction, TableCount, TransactionKind

SHOWN_REFUSALS = 20


class ListDigest:
    """SHA-256 over the orphans' contents: names their list."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._is_first = True

    def add(self, content: str) -> None:
        """The next one's."""
        self._hash.update((content if self._is_first else f"\n{content}").encode())
        self._is_first = False

    def hexdigest(self) -> str:
        """Of all so far."""
        return self._hash.hexdigest()


@dataclass(slots=True)
class OrphanTally:
    """Whole once `counted` has ended. Times are Unix seconds, None where none was told."""

    count: int = 0
    rows: int = 0
    first_at_s: int | None = None
    last_at_s: int | None = None
    refused: int = 0
    refusals: list[str] = field(default_factory=list)
    digest: ListDigest = field(default_factory=ListDigest)
    changes: list[int] = field(default_factory=list)
    """Which of them change a definition."""
    _tables: dict[tuple[str, str], dict[Operation, int]] = field(default_factory=dict)

    def counted(self, transactions: Iterable[OrphanTransaction]) -> Iterator[OrphanTransaction]:
        """The same, each counted as it passes."""
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
        """Rows by table, tables by name."""
        return tuple(
            TableCount(*name, one[Operation.INSERT], one[Operation.UPDATE], one[Operation.DELETE])
            for name, one in sorted(self._tables.items())
        )


def refusal_of(one: OrphanTransaction) -> str:
    """Why this one can be neither replayed nor undone; empty where both can be."""
    if one.kind is TransactionKind.DDL:
        if one.change is not None and not one.refusal:
            return ""
        why = one.refusal or "it was read before such changes were followed; look for orphans again"
        return f"transaction {one.index + 1} changes a definition: {why} ({(one.statement or '')[:80]})"
    return f"transaction {one.index + 1}: {one.refusal}" if one.refusal else ""
