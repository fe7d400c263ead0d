"""Which number a place in a node's log gets: that of its last group, where that is a seqno of the present cluster."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from backend.core.dialects import dialect_for
from backend.core.ports import NodeError, Row
from backend.core.positions import FilePosition
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint
from backend.gateway.polling import node_poller
from backend.gateway.polling.binlog_tail import BinlogTail, TailGroup
from backend.gateway.polling.journal_sample import take_sample
from backend.gateway.polling.pollers import PollerSet
from tests.monitoring.facts import up, with_wsrep

MARIADB = dialect_for("mariadb", "10.11.19-MariaDB")
FILE, END = "binlog.000002", 900


@dataclass
class Counter:
    """A session that tells the cluster's counter."""

    committed: int

    def run(self, sql: str, *, timeout_s: float | None = None) -> list[Row]:
        """Whatever is asked."""
        del sql, timeout_s
        return [{"Value": str(self.committed)}]

    def run_raw(self, sql: str, *, timeout_s: float | None = None) -> list[tuple[object, ...]]:
        """Nothing new in the log."""
        del sql, timeout_s
        return []


@pytest.mark.parametrize(
    ("last_seqno", "committed", "number"),
    [(500, 500, 500), (499, 502, 499), (4, 200_000, None), (501, 500, None), (None, 500, None)],
    ids=["newest", "more since", "node-local", "of the incarnation before", "DDL"],
)
def test_sample__last_group_of_the_log__names_the_place_where_its_number_is_one_of_this_cluster(
    last_seqno: int | None, committed: int, number: int | None
) -> None:
    """A cluster bootstrapped again counts again; its log still ends with a group of the one before."""
    tail = BinlogTail(FilePosition(FILE, END))
    tail.advance(lambda sql: [], MARIADB, FilePosition(FILE, END))
    tail._groups.append(TailGroup(FilePosition(FILE, END), last_seqno, 11))
    node = with_wsrep(up("a1"), last_committed=committed)
    sample = take_sample(Counter(committed), MARIADB, node, tail)  # type: ignore[arg-type]
    assert sample is not None
    assert (sample.exact, sample.seqno) == (number is not None, number or committed)


def test_sample__wsrep_on_was_turned_off_since__none_and_the_poll_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The status of the cluster is empty then; the poller's thread ended on it, and the node was hung for good."""
    counter, tail, node = Counter(500), BinlogTail(FilePosition(FILE, END)), up("a1")
    monkeypatch.setattr(counter, "run", lambda _sql, *, timeout_s: [])
    assert take_sample(counter, MARIADB, node, tail) is None  # type: ignore[arg-type]
    monkeypatch.undo()
    assert take_sample(counter, MARIADB, node, tail) is not None  # type: ignore[arg-type]


def raises_index_error(*_: object) -> None:
    """A server that shows something no one has seen."""
    raise IndexError


def test_poller__reading_fails_in_an_unforeseen_way__polls_again(monkeypatch: pytest.MonkeyPatch) -> None:
    node = up("a1")
    account = NodeEndpoint("127.0.0.1", 1, "monitor", "")
    access = NodeAccess(node.node, account, account)
    monkeypatch.setattr(node_poller, "poll_node", lambda _session, _ref, **_: node)
    monkeypatch.setattr(node_poller, "take_sample", raises_index_error)
    polls = PollerSet()
    polls.set_nodes([access])
    try:
        for _ in range(2):
            polled = polls.tick(5)[node.node.id]
            assert polled.facts.is_up
            assert not polled.tail.is_current
    finally:
        polls.close()


def test_sample__node_out_of_step_is_not_read__does_not_say_again_that_its_log_was_reset() -> None:
    tail = BinlogTail(FilePosition(FILE, END + 1))
    node = up("a1")
    assert take_sample(Counter(500), MARIADB, node, tail) is not None  # type: ignore[arg-type]
    assert tail.began_anew
    away = with_wsrep(node, local_state=2)
    assert take_sample(Counter(500), MARIADB, away, tail) is None  # type: ignore[arg-type]
    assert not tail.began_anew


def test_advance__file_purged_before_it_was_read_to_its_end__followed_from_the_logs_end() -> None:
    """FLUSH and PURGE within one look: the file that the cursor is in is deleted for good (seen, 10.11.19)."""
    tail = BinlogTail(FilePosition(FILE, END))
    asked: list[str] = []

    def query(sql: str) -> list[tuple[object, ...]]:
        asked.append(sql)
        if FILE in sql:
            raise NodeError("a1", f"Could not find target log {FILE}", code=1220)
        return []

    now = FilePosition("binlog.000003", 400)
    tail.advance(query, MARIADB, now)
    assert tail.start == now
    tail.advance(query, MARIADB, now)
    assert "binlog.000003" in asked[-1]
    with pytest.raises(NodeError):
        tail.advance(_refused, MARIADB, now)


def _refused(sql: str) -> list[tuple[object, ...]]:
    del sql
    raise NodeError("a1", "access denied", code=1045)
