"""Where a source begins to send in GTID mode: of each domain behind one group that its log has to hold.

As MariaDB's sql_repl.cc looks for it (`check_slave_start_position`, `gtid_find_binlog_file`), and as two servers of
10.11.19 did: docs/evidence/measured-facts.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from backend.core.positions import FilePosition, MariadbGtid, MariadbGtidSet
from tests.fakes.log import FakeLog, Placed


@dataclass(slots=True)
class Beginning:
    """What one connection leaves out: `behind` of each domain all before that place of the source's log; `unknown`
    were asked for and their domain is not in the log yet. `executed`: what a replica of MySQL named.
    """

    behind: dict[int, FilePosition] = field(default_factory=dict)
    unknown: dict[int, MariadbGtid] = field(default_factory=dict)
    executed: frozenset[MariadbGtid] = frozenset()

    def sends(self, placed: Placed) -> bool:
        """Whether that group stands behind what was asked for, or is not in a set that was named."""
        if placed.gtid in self.executed:
            return False
        if placed.gtid is None or placed.gtid.domain not in self.behind:
            return True
        return placed.start >= self.behind[placed.gtid.domain]

    def meets(self, log: FakeLog, placed: Placed) -> bool:
        """False where a domain turns up at last, and what was asked for of it is not in the log: 1236."""
        wanted = placed.gtid and self.unknown.get(placed.gtid.domain)
        if wanted:
            position = _behind(log, wanted)
            if position is None:
                return False
            self.behind[wanted.domain] = position
            del self.unknown[wanted.domain]
        return True


def beginning(log: FakeLog, asked: MariadbGtidSet, applied: MariadbGtidSet, server_id: int) -> Beginning | None:
    """What a source of that log and id leaves out, None where it refuses (1236); `applied`: its own gtid_slave_pos."""
    found = Beginning()
    for gtid in asked:
        position = _behind(log, gtid)
        last = log.state_at(log.end).of_domain(gtid.domain)
        if position is None and gtid == applied.of_domain(gtid.domain):
            position = _behind(log, replace(gtid, server_id=server_id)) or (last and _behind(log, last))
        elif position is None and last is None:
            found.unknown[gtid.domain] = gtid
        elif position is None:
            return None
        if position is not None:
            found.behind[gtid.domain] = position
    return found


def _behind(log: FakeLog, wanted: MariadbGtid) -> FilePosition | None:
    """The end of that very group; the start of the next of its server where the log has a hole there."""
    same = (p for p in log.placed if p.gtid and (p.gtid.domain, p.gtid.server_id) == (wanted.domain, wanted.server_id))
    for placed in same:
        assert placed.gtid is not None
        if placed.gtid.seq_no >= wanted.seq_no:
            return placed.end if placed.gtid == wanted else placed.start
    return None
