"""Hawser's own searches, through the very code that a lookup and a relocate use.

Sessions are open already, as they are in a worker that has just checked the link.
"""

from __future__ import annotations

from collections.abc import Callable

from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import BinaryLog
from backend.core.binlog.search import find_xid
from backend.core.dialects import dialect_for
from backend.core.locate.locator import locate
from backend.core.positions import FilePosition
from bench.journal import MemoryJournal, NoJournal
from bench.measure import Answer, Contender
from bench.testbed import SOURCE, Testbed

COLD, JOURNALLED = "Hawser, cold", "Hawser, journalled"
PROOF_COLD, PROOF_JOURNALLED = "Hawser, cold, whole proof", "Hawser, journalled, whole proof"


def contenders(ground: Testbed) -> list[Contender]:
    """Finding a Xid, and the whole proof of a position, each without and with the journal."""
    return [
        Contender(COLD, _xid(ground, None), repeats=5),
        Contender(JOURNALLED, _xid(ground, ground.checkpoint), repeats=40),
        Contender(PROOF_COLD, _proof(ground, NoJournal(), is_cold=True), repeats=5),
        Contender(PROOF_JOURNALLED, _proof(ground, ground.journal, is_cold=False), repeats=40),
    ]


def _xid(ground: Testbed, checkpoint: FilePosition | None) -> Callable[[], Answer]:
    facts = ground.gateway.observe_node(SOURCE)
    log = BinaryLog(ground.gateway.reader(SOURCE), dialect_for(facts.flavor, facts.version))
    log.files()  # opens the session

    def find() -> Answer:
        cursor = Cursor(log)
        group, from_checkpoint = find_xid(cursor, ground.xid, checkpoint)
        if group is None or from_checkpoint != (checkpoint is not None):
            raise RuntimeError(f"Xid {ground.xid} was not found as it should be")
        return Answer(group.end, cursor.scanned_events)

    return find


def _proof(ground: Testbed, journal: MemoryJournal, *, is_cold: bool) -> Callable[[], Answer]:
    """Both sides read, all families asked, judged; the number to look up is known from the relay log."""
    search = ground.search(journal)

    def find() -> Answer:
        located = locate(search)
        if not located.is_proven or located.position is None or located.from_checkpoint == is_cold:
            raise RuntimeError(f"not proven as it should be: {located.reasons}")
        return Answer(located.position.offset, located.searched_events)

    return find
