"""Nodes of one cluster whose logs have different transactions under one seqno, and all that only looks like it."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from backend.core.facts import side_logs
from backend.core.facts.side_logs import Parted, SideLog, SideLogs
from tests.core.builders.followed_log import Log

NODES = ("a1", "a2", "a3")


class Side:
    """Three nodes, whose logs the monitor follows."""

    def __init__(self) -> None:
        self.logs = {name: Log(name) for name in NODES}
        self.seqno = dict.fromkeys(NODES, 40)
        self.side, self.with_server_id = SideLogs(), True
        self.commit(3)
        assert self.poll() is None

    def commit(self, count: int = 1, *, server_id: int = 11, nodes: Collection[str] = NODES, table: str = "t") -> None:
        """By a client of that server, on these nodes."""
        for _ in range(count):
            for name in nodes:
                self.seqno[name] += 1
                self.logs[name].write("", server_id, self.seqno[name])
                self.logs[name].change_last(f"bank.{table}")

    def alone(self, name: str, seqno: int) -> None:
        """A transaction that Galera does not see (wsrep_on=OFF): its number is the storage's own."""
        self.logs[name].write("", 99, seqno)

    def poll(self, away: Collection[str] = ()) -> Parted | None:
        logs = {n: None if n in away else SideLog(log.read(), self.seqno[n]) for n, log in self.logs.items()}
        return self.side.take(logs, with_server_id=self.with_server_id)

    def polls(self, *, away: Collection[str] = ()) -> Parted | None:
        """Until nothing waits."""
        return self.poll(away) or self.poll(away)


@pytest.fixture
def side() -> Side:
    return Side()


def parted_unseen(side: Side, **other: object) -> None:
    """The console sees the half of a1 and a2 alone, and a3 commits, too; then a3 is a member again."""
    side.commit()
    side.poll()
    side.commit(2, nodes=("a1", "a2"))
    side.commit(2, nodes=("a3",), **{"server_id": 13, **other})  # type: ignore[arg-type]
    assert side.polls(away=("a3",)) is None


def test_nodes_that_log_the_same__nothing(side: Side) -> None:
    for _ in range(5):
        side.commit(4)
        side.logs["a1"].write("", 11, None)
        assert side.poll() is None
    assert side.polls() is None


def test_half_that_nobody_saw__back_at_the_same_seqno__named_with_what_is_common(side: Side) -> None:
    parted_unseen(side)
    assert side.polls() == Parted(45, (("a1", "a2"), ("a3",)), 44)


def test_half_that_nobody_saw__written_on_after_it_is_back__named(side: Side) -> None:
    parted_unseen(side)
    side.commit(5)
    assert side.polls() == Parted(45, (("a1", "a2"), ("a3",)), 44)


def test_node_that_was_away__has_what_the_others_have__nothing(side: Side) -> None:
    side.commit(2, nodes=("a1", "a2"))
    assert side.polls(away=("a3",)) is None
    side.commit(2, nodes=("a3",))
    side.commit(4)
    assert side.polls() is None


def test_half_that_nobody_saw__thousands_of_transactions_later__named(
    side: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_logs, "MOST_RECENT", 20)
    monkeypatch.setattr(side_logs, "MOST_AWAITED", 5)
    parted_unseen(side)
    for _ in range(10):
        side.commit(10, nodes=("a1", "a2"))
        assert side.poll(away=("a3",)) is None
    side.logs["a3"].groups[-1:] = []
    assert side.polls() == Parted(45, (("a1", "a2"), ("a3",)), None)


@pytest.mark.parametrize("seqno", [12, 41, 43, 44, 45, 5_000])
def test_transaction_of_one_node__its_number_is_not_of_the_cluster(side: Side, seqno: int) -> None:
    side.alone("a2", seqno)
    assert side.polls() is None
    for _ in range(3):
        side.commit(3)
        assert side.polls() is None


def test_transaction_of_one_node__has_the_number_of_an_older_one(side: Side) -> None:
    side.commit(2)
    side.alone("a2", 44)
    assert side.polls() is None
    side.commit(3)
    assert side.polls() is None


def test_seqno__galera_has_not_come_so_far__not_compared(side: Side) -> None:
    side.alone("a2", 46)
    assert side.polls() is None
    side.commit(5, nodes=("a1", "a3"))
    assert side.polls() is None


def test_half_that_nobody_saw__one_server_id_and_other_tables__named(side: Side) -> None:
    side.with_server_id = False
    parted_unseen(side, server_id=11, table="other")
    assert side.polls() == Parted(45, (("a1", "a2"), ("a3",)), 44)


def test_server_id__where_nodes_number_gtids_alike__not_compared(side: Side) -> None:
    side.with_server_id = False
    parted_unseen(side)
    assert side.polls() is None


def test_filter_of_a_log__leaves_a_table_out__the_same_transaction(side: Side) -> None:
    side.commit()
    side.logs["a1"].change_last("bank.t", "audit.t")
    assert side.polls() is None


def test_cluster_that_was_set_back__its_numbers_are_of_another_history(side: Side) -> None:
    side.commit(5)
    assert side.polls() is None
    side.seqno = dict.fromkeys(NODES, 42)
    side.commit(3, server_id=12)
    assert side.poll(away=("a1",)) is None
    assert side.polls() is None


def test_log_that_is_another_one__all_begin_anew(side: Side) -> None:
    parted_unseen(side)
    side.logs["a3"].start = side.logs["a3"].end
    assert side.polls() is None
    side.commit(3)
    assert side.polls() is None


def test_node__removed_from_the_registration__not_compared(side: Side) -> None:
    parted_unseen(side)
    side.logs.pop("a3")
    assert side.polls() is None
