"""Polls of the two ends of a link's stream by one monitor, over logs that a test writes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from django.db import transaction

from backend.clusters.models import Link
from backend.core.dialects import dialect_for
from backend.core.positions import FilePosition
from backend.core.topology import BinlogFacts, ChannelFacts, NodeFacts
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import LinkStatus
from backend.monitoring.recording.links import store_links
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.recording.stream_accounts import StreamAccounts
from backend.monitoring.times import from_unix
from backend.monitoring.unaccounted import stream_accounts
from tests.monitoring.facts import NOW, channel, link, up

FILE = "binlog.000002"


@dataclass
class Log:
    """A node's binary log and the tail that follows it; each transaction has 100 bytes."""

    tail: BinlogTail = field(default_factory=lambda: BinlogTail(FilePosition(FILE, 500)))
    end: int = 500
    seqno: int = 700

    def write(self, *gtids: str) -> None:
        rows: list[tuple[object, ...]] = []
        for gtid in gtids:
            origin, begin, self.seqno = int(gtid.split("-")[1]), self.end, self.seqno + 1
            info = b"COMMIT /* xid=%d */" % self.seqno
            rows.append((b"", begin, b"Gtid", origin, begin + 50, f"BEGIN GTID {gtid}".encode()))
            rows.append((b"", begin + 50, b"Xid", origin, begin + 100, info))
            self.end += 100
        end = FilePosition(FILE, self.end)
        self.tail.advance(lambda sql: rows, dialect_for("mariadb", "10.11.19-MariaDB"), end)


@dataclass
class Polls:
    """Polls of milan's source and frankfurt's replica by one monitor; `passed` is the channel's place.

    The channel back is at the end of its source's log, or, without `has_back`, at a place that was not read;
    there is none where it `is_one_way`.
    """

    stored: Link
    source: Log = field(default_factory=Log)
    replica: Log = field(default_factory=Log)
    passed: int = 500
    accounts: StreamAccounts = field(default_factory=StreamAccounts)
    options: dict[str, str] = field(default_factory=dict)
    at_s: float = NOW
    has_back: bool = False
    is_one_way: bool = False

    def apply(self, *gtids: str) -> None:
        """Committed on milan, brought by the channel, and passed."""
        self.source.write(*gtids)
        self.replica.write(*gtids)
        self.passed = self.source.end

    def tick(self, times: int = 1, doubtful: frozenset[str] = frozenset(), *, is_log_read: bool = True) -> LinkStatus:
        for _ in range(times):
            self.at_s += 1
            for log in (self.source, self.replica):
                log.tail.read_at_s = self.at_s if is_log_read else self.at_s - 1
            forward = replace(channel("a1"), exec_file=FILE, exec_offset=self.passed, options=self.options)
            back = replace(channel("b1"), exec_file=FILE, exec_offset=self.replica.end)
            held = () if self.is_one_way else (back if self.has_back else channel("b1"),)
            nodes = {
                "a1": self._up("a1", self.source, *held),
                "b1": self._up("b1", self.replica, forward),
            }
            facts = {node.node.id: node for node in link(nodes).nodes}
            facts = {key: replace(node, observed_at_s=self.at_s) for key, node in facts.items()}
            now = from_unix(self.at_s)
            store_nodes(facts, now)
            polled = {
                node_id: Polled(facts[node_id], None, log.tail)
                for node_id, log in (("n_a1", self.source), ("n_b1", self.replica))
            }
            with transaction.atomic():
                store_links([self.stored], facts, polled, now, fails=True, accounts=self.accounts, doubtful=doubtful)
        return LinkStatus.objects.get(link=self.stored)

    def _up(self, name: str, log: Log, *held: ChannelFacts) -> NodeFacts:
        return replace(up(name, *held), binlog=BinlogFacts(FILE, log.end, ((FILE, log.end),)))

    def found(self) -> list[tuple[str, str]]:
        shown = stream_accounts(self.stored)
        return [(one.fault, one.gtid) for one in (*shown.forward.transactions, *shown.reverse.transactions)]


def begun(stored: Link) -> Polls:
    """With a span begun in both directions."""
    polls = Polls(stored)
    polls.apply("0-11-1")
    polls.tick(4)
    return polls
