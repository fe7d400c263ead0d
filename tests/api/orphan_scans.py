"""Scans of orphans, as if a log had been read."""

from __future__ import annotations

from collections.abc import Iterator

from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from backend.core.orphans.model import OrphanList, OrphanTransaction
from backend.core.orphans.scan import DivergedLog
from backend.core.positions import FilePosition
from backend.core.topology import NodeFacts, Reach
from backend.transactions.orphans import services
from backend.transactions.orphans.models import OrphanScan
from backend.transactions.orphans.scanning import ScanResult
from tests.core.builders.orphan_worlds import book_of, delete, insert, row, update

BOOK = book_of(
    [[insert(row(1, "ü".encode())), insert(row(2))], [update(row(1, "ü".encode()), row(1, b"x"))], [delete(row(2))]]
)


class ReadBook:
    """Implements `OrphanSource`: a log that holds these orphans."""

    def __init__(self, book: OrphanList) -> None:
        self._book = book
        self.table_definitions, self.overwritten = book.table_definitions, book.overwritten
        self.log = DivergedLog(FilePosition("binlog.000001", 100), "test")
        self.log.ends = FilePosition("binlog.000001", 900)

    def __iter__(self) -> Iterator[OrphanTransaction]:
        """All of them."""
        return self._book.ascending()

    def sentence(self, count: int) -> str:
        """What was found."""
        return f"{count} were found."


def stored_scan(link: Link, divergence: Divergence, book: OrphanList = BOOK, *, state: str = "found") -> OrphanScan:
    """A scan as if that book had been found."""
    node = link.active_cluster.nodes.all()[0]
    facts = NodeFacts(node.ref, 0.0, Reach.UP)
    found = ReadBook(book) if state in ("found", "none") else None
    return services._keep(link, divergence, ScanResult(state, "", facts, found))
