"""Nodes of one cluster whose logs have different transactions under one seqno, and all that only looks like it."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from backend.core.facts import logged_alone, side_logs
from backend.core.facts.side_logs import Parted, SideLog, SideLogs
from tests.core.builders.followed_log import Log

NODES = ("a1", "a2", "a3")
SERVER_IDS = {"a1": 11, "a2": 12, "a3": 13}


class Side:
    """Three nodes, whose logs the monitor follows."""

    def __init__(self) -> None:
        self.logs = {name: Log(name) for name in NODES}
        self.seqno = dict.fromkeys(NODES, 40)
        self.side, self.with_server_id = SideLogs(), True
        self.server_ids = SERVER_IDS
        self.unsafe: dict[tuple[str, str], str] = {}
        self.commit(3)
        assert self.poll() is None

    def commit(self, count: int = 1, *, server_id: int = 11, nodes: Collection[str] = NODES, table: str = "t") -> None:
        """By a client of that server, on these nodes."""
        for _ in range(count):
            for name in nodes:
                self.seqno[name] += 1
                self.logs[name].write("", server_id, self.seqno[name])
                self.logs[name].change_last(f"bank.{table}")

    def define(self, *, server_id: int = 11, nodes: Collection[str] = NODES) -> None:
        """DDL, which has no number."""
        for name in nodes:
            self.logs[name].write("", server_id, None)

    def alone(self, name: str, seqno: int, server_id: int = 99) -> None:
        """A transaction that Galera does not see (wsrep_on=OFF): its number is the storage's own."""
        self.logs[name].write("", server_id, seqno)

    def fill(self, **rows: int) -> None:
        """One transaction with these rows in the logs of these nodes."""
        self.commit()
        for name in NODES:
            self.logs[name].fill_last(rows.get(name, 1))

    def read(self, name: str) -> SideLog:
        return SideLog(self.logs[name].read(), self.seqno[name], self.server_ids[name])

    def poll(self, away: Collection[str] = ()) -> Parted | None:
        logs = {name: None if name in away else self.read(name) for name in self.logs}
        found = self.side.take(logs, with_server_id=self.with_server_id)
        self.unsafe |= found.unsafe
        return found.parted

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
        side.define()
        assert side.poll() is None
    assert side.polls() is None
    assert side.unsafe == {}


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


@pytest.mark.parametrize("seqno", [12, 44, 45, 5_000])
def test_session_without_galera__its_number_is_out_of_order__told_once_others_follow(side: Side, seqno: int) -> None:
    side.commit(2)
    side.polls()
    side.alone("a2", seqno, SERVER_IDS["a2"])
    for _ in range(3):
        side.commit(3)
        assert side.polls() is None
    assert side.unsafe == {("a2", "wsrep_on"): "OFF in a session"}


def test_row_that_a_channel_brought_outside_innodb__has_a_number_of_the_node__nothing(side: Side) -> None:
    side.commit(2)
    side.polls()
    side.alone("a2", 12, server_id=21)
    for _ in range(3):
        side.commit(3)
        side.polls()
    assert side.unsafe == {}


def test_cluster_that_was_set_back__numbers_fall__no_session_is_told(side: Side) -> None:
    side.commit(20)
    side.polls()
    side.seqno = dict.fromkeys(NODES, 12)
    side.commit(3)
    for _ in range(3):
        side.polls()
    assert side.unsafe == {}


def test_rows_of_one_node_are_others__told_of_that_node(side: Side) -> None:
    side.fill()
    side.fill(a2=9)
    side.fill(a2=8)
    side.polls()
    assert side.unsafe == {("a2", "rows"): "bank.t ()"}


def test_rows_of_the_same__nothing(side: Side) -> None:
    side.fill(a1=5, a2=5, a3=5)
    assert side.polls() is None
    assert side.unsafe == {}


def test_rows_of_one_node_are_read_later__awaited(side: Side) -> None:
    side.fill(a2=9)
    rows = side.logs["a3"].rows
    assert rows is not None
    rows.until = 0
    side.polls()
    assert side.unsafe == {}
    rows.until = 10**9
    side.poll()
    assert list(side.unsafe) == [("a2", "rows")]


def test_rows_of_one_node_are_not_read__the_others_are_compared(side: Side) -> None:
    side.fill(a2=9)
    side.logs["a3"].rows = None
    side.polls()
    assert len(side.unsafe) == 1


def test_rows_of_other_types__told_as_columns(side: Side) -> None:
    side.commit()
    for name, columns in (("a1", b"int"), ("a2", b"int"), ("a3", b"big")):
        side.logs[name].fill_last(1, columns=columns)
    side.polls()
    assert side.unsafe == {("a3", "columns"): "bank.t"}


def test_table_of_one_of_two_nodes__has_a_column_more__the_other_one_is_told(side: Side) -> None:
    side.commit()
    for name, columns in (("a1", b"int"), ("a2", b"int,int")):
        side.logs[name].fill_last(1, columns=columns)
    side.polls()
    assert side.unsafe == {("a1", "columns"): "bank.t"}


def test_rows_of_one_node__another_one_has_them_later__told_of_that_node(side: Side) -> None:
    side.commit(nodes=("a1", "a2"))
    for name, rows in (("a1", 1), ("a2", 9)):
        side.logs[name].fill_last(rows)
    side.polls()
    assert side.unsafe == {}
    side.commit(nodes=("a3",))
    side.logs["a3"].fill_last(1)
    side.commit()
    side.polls()
    assert list(side.unsafe) == [("a2", "rows")]


def follow(side: Side) -> dict[tuple[str, str], str]:
    """What is told once transactions follow that all nodes have; by node and kind alone."""
    for _ in range(logged_alone.LOOKS + 2):
        side.commit()
        side.poll()
    return dict.fromkeys(side.unsafe, "")


LATER = {"nothing between": 0, "others between": 3}


@pytest.mark.parametrize("between", LATER.values(), ids=LATER)
@pytest.mark.parametrize("name", NODES)
def test_statement_that_one_node_logged__told_of_that_node(side: Side, name: str, between: int) -> None:
    follow(side)
    side.define(nodes=[name], server_id=SERVER_IDS[name])
    side.commit(between)
    assert follow(side) == {(name, "logged alone"): ""}


@pytest.mark.parametrize("name", NODES)
def test_flush_of_one_node__nothing(side: Side, name: str) -> None:
    """As FLUSH SSL after a certificate was renewed (docs/evidence/measured-facts.md)."""
    follow(side)
    side.logs[name].write("", SERVER_IDS[name], None, changes_nothing=True)
    side.commit()
    assert follow(side) == {}


@pytest.mark.parametrize("name", NODES)
def test_statement_that_one_node_did_not_log__told_of_that_node(side: Side, name: str) -> None:
    follow(side)
    side.define()
    side.commit()
    side.define(nodes=[one for one in NODES if one != name])
    group = side.logs[NODES[name == "a1"]].groups[-1]
    assert follow(side) == {(name, "not logged"): ""}
    assert side.unsafe[name, "not logged"] == f" at {group.begins}"


def test_statement_of_each_node_at_one_place__told(side: Side) -> None:
    follow(side)
    for name in NODES:
        side.define(nodes=[name], server_id=SERVER_IDS[name])
    assert follow(side) == {(name, "logged alone"): "" for name in NODES}


@pytest.mark.parametrize("server_ids", [SERVER_IDS, dict.fromkeys(NODES, 11)], ids=["of each", "one"])
def test_what_one_node_logged_or_did_not__told_where_galera_numbers(side: Side, server_ids: dict[str, int]) -> None:
    """A statement bears one server_id in all logs, whoever gave it (docs/evidence/measured-facts.md)."""
    side.with_server_id, side.server_ids = False, server_ids
    follow(side)
    side.define(nodes=["a2"], server_id=server_ids["a2"])
    side.commit(nodes=("a2", "a3"))
    side.seqno["a1"] += 1
    assert follow(side) == {("a2", "logged alone"): "", ("a1", "not logged"): ""}


def test_statements_under_the_server_id_with_which_galera_was_begun__nothing(side: Side) -> None:
    """Each node has another one since; they are the same in all logs, and a channel's are no nodes' own either."""
    side.with_server_id = False
    for _ in range(3):
        side.define(server_id=7)
        assert follow(side) == {}


def test_transaction_under_another_server_id_in_one_log__its_statements_are_the_same__nothing(side: Side) -> None:
    """As after a full stop with another server_id, where Galera numbers (docs/evidence/measured-facts.md)."""
    side.with_server_id = False
    for _ in range(3):
        for name, server_id in (("a1", 11), ("a2", 7), ("a3", 7)):
            side.seqno[name] += 1
            side.logs[name].write("", server_id, side.seqno[name])
        side.define(server_id=11)
        side.define(server_id=7)
        assert follow(side) == {}


def test_transaction_of_the_other_side_numbered_in_one_log__nothing(side: Side) -> None:
    """As the node on which a channel takes a number of a SEQUENCE logs it (docs/evidence/measured-facts.md)."""
    follow(side)
    side.commit(nodes=["a2"], server_id=21)
    for name in ("a1", "a3"):
        side.define(nodes=[name], server_id=21)
        side.seqno[name] += 1
    assert follow(side) == {}


def test_statement_of_one_node_among_others__the_one_is_named(side: Side) -> None:
    follow(side)
    side.define(nodes=["a2"], server_id=12)
    alone = side.logs["a2"].groups[-1]
    side.commit()
    side.define(server_id=12)
    assert follow(side) == {("a2", "logged alone"): ""}
    assert side.unsafe["a2", "logged alone"] == f" at {alone.begins}"


def test_transaction_that_one_node_did_not_log__told_of_that_node(side: Side) -> None:
    follow(side)
    side.commit(nodes=("a2", "a3"))
    side.seqno["a1"] += 1
    assert follow(side) == {("a1", "not logged"): ""}


def test_node_that_is_away_for_a_while__what_it_logged_alone_meanwhile_is_told(side: Side) -> None:
    """RSU pauses a node."""
    follow(side)
    side.define(nodes=["a2"], server_id=12)
    side.commit(nodes=("a1", "a3"))
    side.poll(away=("a2",))
    side.commit(nodes=["a2"])
    assert follow(side) == {("a2", "logged alone"): ""}


def test_statement_in_one_of_two_logs__told_of_that_node(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logged_alone, "LOOKS_AWAY", 0)
    follow(side)
    side.commit(nodes=("a1", "a2"))
    side.polls(away=("a3",))
    side.define(nodes=["a2"])
    for _ in range(logged_alone.LOOKS + 2):
        side.commit(nodes=("a1", "a2"))
        side.poll(away=("a3",))
    assert list(side.unsafe) == [("a2", "logged alone")]


def test_half_of_a_statement_in_one_log__nothing(side: Side) -> None:
    """Where binlog_alter_two_phase is on (`core.binlog`)."""
    follow(side)
    side.logs["a1"].write("", 11, None, changes_nothing=True)
    side.define()
    assert follow(side) == {}


def test_node_that_was_away__what_it_logs_until_it_is_level_is_not_compared_before(
    side: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logged_alone, "LOOKS_AWAY", 0)
    follow(side)
    for _ in range(logged_alone.LOOKS + 2):
        side.define(nodes=("a1", "a2"))
        side.commit(nodes=("a1", "a2"))
        side.poll(away=("a3",))
    for _ in range(logged_alone.LOOKS + 2):
        side.define(nodes=("a3",))
        side.commit(nodes=("a3",))
    assert follow(side) == {}
    side.define(nodes=("a3",))
    assert follow(side) == {("a3", "logged alone"): ""}


@pytest.mark.parametrize("name", NODES)
def test_statement_behind_the_transaction_that_follows_in_one_log__nothing(side: Side, name: str) -> None:
    """As the node on which a channel applied it may log it (docs/evidence/measured-facts.md)."""
    follow(side)
    for _ in range(3):
        side.define(nodes=[one for one in NODES if one != name])
        side.commit(2)
        side.define(nodes=[name])
    assert follow(side) == {}


def test_statements_without_end_and_no_transaction__begin_anew(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_logs, "MOST_RECENT", 20)
    monkeypatch.setattr(logged_alone, "MOST_KEPT", 20)
    follow(side)
    for _ in range(5):
        for _ in range(10):
            side.define(nodes=("a1",))
        side.polls()
    assert follow(side) == {}
    side.define(nodes=("a1",))
    follow(side)
    assert follow(side) == {("a1", "logged alone"): ""}
    for _ in range(25):
        side.define(nodes=("a2", "a3"))
        side.commit(nodes=("a2", "a3"))
        side.polls()
    side.seqno["a1"] = side.seqno["a2"]
    side.unsafe = {}
    assert follow(side) == {}


def test_statements__more_than_are_named(side: Side) -> None:
    follow(side)
    for _ in range(5):
        side.define(nodes=("a2",))
    follow(side)
    told = side.unsafe["a2", "logged alone"]
    assert told.count(" at binlog.000001:") == 3
    assert told.endswith(" and 2 more")
