"""What a channel passed has to stand once in its replica's log: skipped, repointed, written twice, moved."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from backend.core.positions import FilePosition
from backend.core.stream_account import (
    Accountant,
    Fault,
    LogRead,
    StreamAccount,
    Unaccounted,
    resume_places,
)
from tests.core.builders.followed_log import FILE, Log

MILAN, FRANKFURT = 11, 21
OUTSIDE = (21, 22, 23)


class Link:
    """Milan writes; what its channel brings stands in frankfurt's log under the same GTID."""

    def __init__(self) -> None:
        self.source, self.replica = Log("db-a1"), Log("db-b1")
        self.neighbour = Log("db-a2")
        self.other_replica = Log("db-b2")
        self.passed = 100
        self.accountant, self.account = Accountant(), StreamAccount()
        self.now_s = 0.0
        self.is_running = True
        self._seqno, self._applied = 500, 900

    def commit(self, count: int = 1, server_id: int = MILAN, *, is_ddl: bool = False) -> list[str]:
        """In the logs of both nodes of milan, which number differently."""
        gtids = []
        for _ in range(count):
            self._seqno += 1
            seqno = None if is_ddl else self._seqno
            gtids.append(f"0-{server_id}-{self._seqno}")
            self.source.write(gtids[-1], server_id, seqno)
            self.neighbour.write(f"0-{server_id}-{self._seqno + 7}", server_id, seqno)
        return gtids

    def log(self, gtids: Iterable[str], server_id: int = MILAN) -> None:
        """In the logs of frankfurt."""
        for gtid in gtids:
            self._applied += 1
            for one in (self.replica, self.other_replica):
                one.write(gtid, server_id, self._applied)

    def apply(self, gtids: Iterable[str]) -> None:
        """In the logs of frankfurt, and passed."""
        self.log(gtids)
        self.passed = self.source.end

    def look(self, times: int = 1) -> StreamAccount:
        for _ in range(times):
            self.now_s += 1
            self.account = self.accountant.take(
                self.account,
                self.source.read(),
                self.replica.read(),
                FilePosition(FILE, self.passed),
                OUTSIDE,
                self.now_s,
                is_running=self.is_running,
            )
        return self.account

    def fill(self, sent: int | None, logged: int | None, **logged_as: bytes) -> str:
        """A transaction with these rows in the logs of both."""
        (gtid,) = self.commit()
        self.source.fill_last(sent)
        self.log([gtid])
        self.replica.fill_last(logged, **logged_as)
        self.passed = self.source.end
        return gtid

    def found(self) -> list[tuple[Fault, str]]:
        return [(one.fault, one.gtid) for one in self.account.unaccounted]


@pytest.fixture
def link() -> Link:
    """With a span begun."""
    link = Link()
    link.apply(link.commit(3))
    link.look(4)
    return link


def test_account__all_that_was_passed_is_in_the_log__counted_and_nothing_is_named(link: Link) -> None:
    link.apply(link.commit(40))
    account = link.look(4)
    assert (account.groups, account.unaccounted) == (40, ())
    assert (account.since_s, account.until_s) == (3.0, link.now_s)


def test_account__what_the_replica_applied_before_the_span_began__is_not_missing() -> None:
    link = Link()
    link.look()
    link.apply(link.commit(5))
    link.look(5)
    assert link.found() == []


def test_account__skipped_by_hand__missing_with_its_place(link: Link) -> None:
    first, skipped, last = link.commit(3)
    link.apply([first, last])
    account = link.look(2)
    assert link.found() == [(Fault.MISSING, skipped)]
    (one,) = account.unaccounted
    assert (one.node_id, one.begins, one.ends, one.seqno) == ("db-a1", f"{FILE}:140", f"{FILE}:150", 505)


@pytest.mark.parametrize("is_applied_late", [False, True])
def test_account__in_the_log_without_one_of_its_tables__missing_in_part(link: Link, *, is_applied_late: bool) -> None:
    """A table that a filter leaves out, or rows whose errors are skipped; the filter is gone by now."""
    (gtid,) = link.commit()
    link.source.change_last("bank.t", "bank.u", "bank.v")
    if is_applied_late:
        link.passed = link.source.end
        link.look()
    link.apply([gtid])
    link.look(3)
    assert link.found() == [(Fault.MISSING, gtid)]
    assert link.account.unaccounted[0].tables == ("bank.u", "bank.v")
    assert StreamAccount.from_json(json.loads(json.dumps(link.account.to_json()))) == link.account


def test_account__what_the_channel_carries__is_known_for_a_minute(link: Link) -> None:
    link.apply([*link.commit(), *link.commit(server_id=78)])
    link.look()
    assert set(link.account.carried) == {"11", "78"}
    assert StreamAccount.from_json(json.loads(json.dumps(link.account.to_json()))).carried == link.account.carried
    link.now_s += 61
    link.look()
    assert link.account.carried == {}


def test_account__the_replica_logs_a_table_more__nothing_is_named(link: Link) -> None:
    """Triggers of the replica write for themselves where slave_run_triggers_for_rbr is set."""
    link.apply(link.commit())
    link.replica.change_last("bank.t", "bank.written_by_trigger")
    link.look(3)
    assert link.found() == []


def test_account__in_part_and_the_console_started_again_before_it_was_logged__missing_in_part(link: Link) -> None:
    (gtid,) = link.commit()
    link.source.change_last("bank.t", "bank.u")
    link.passed = link.source.end
    link.look()
    another_console(link)
    link.log([gtid])
    link.look(3)
    assert [one.tables for one in link.account.unaccounted] == [("bank.u",)]


def test_account__in_part_across_a_move_to_another_source__missing_in_part(link: Link) -> None:
    (gtid,) = link.commit()
    link.source.change_last("bank.t", "bank.u")
    link.passed = link.source.end
    link.look()
    link.log([gtid])
    moved_to_neighbour(link)
    link.passed = link.source.end
    link.look(2)
    link.apply([])
    link.look(3)
    assert [(one.gtid, one.tables) for one in link.account.unaccounted] == [(gtid, ("bank.u",))]


def test_account__pointed_to_a_later_place_while_stopped__all_that_was_left_out_is_missing(link: Link) -> None:
    left_out = link.commit(2)
    link.look(2)
    link.passed = link.source.end
    link.apply(link.commit(1))
    link.look(2)
    assert link.found() == [(Fault.MISSING, gtid) for gtid in left_out]


def test_account__the_log_was_read_just_before_the_place__nothing_is_missing(link: Link) -> None:
    gtids = link.commit(2)
    link.passed = link.source.end
    link.look()
    assert link.found() == []
    link.log(gtids)
    link.look(3)
    assert link.found() == []


def test_account__applied_before_the_place_moved__nothing_is_extra(link: Link) -> None:
    gtids = link.commit(2)
    link.log(gtids)
    link.look(3)
    link.passed = link.source.end
    link.look(3)
    assert link.found() == []
    assert link.account.groups == 2


def test_account__written_there_under_a_server_id_of_the_source__extra(link: Link) -> None:
    link.log(["0-12-9000"], server_id=12)
    link.look(4)
    assert link.found() == [(Fault.EXTRA, "0-12-9000")]
    assert link.account.unaccounted[0].node_id == "db-b1"


def test_account__replayed_under_its_own_gtid__extra(link: Link) -> None:
    gtids = link.commit(2)
    link.apply(gtids)
    link.look(2)
    link.log(gtids[:1])
    link.look(4)
    assert link.found() == [(Fault.EXTRA, gtids[0])]


def test_account__the_same_gtid_twice_on_both_sides__nothing_is_named(link: Link) -> None:
    """The source's own log was replayed there, and the channel brought it."""
    gtids = link.commit(1)
    link.source.write(gtids[0], MILAN, 600)
    link.apply([*gtids, *gtids])
    link.look(4)
    assert link.found() == []


def test_account__groups_outside_the_stream_and_halves__are_not_compared(link: Link) -> None:
    link.source.write("0-21-1", FRANKFURT, 601)
    link.source.write("0-11-700", MILAN, None, changes_nothing=True)
    link.replica.write("0-22-9", 22, 950)
    link.apply([])
    link.look(4)
    assert (link.found(), link.account.groups) == ([], 0)


def test_account__source_not_read_up_to_the_channels_place__nothing_is_extra_yet(link: Link) -> None:
    link.log(["0-11-504"])
    link.passed = link.source.end + 10
    link.look(5)
    assert link.found() == []


def test_account__a_log_that_was_not_followed__begins_anew_and_keeps_what_was_found(link: Link) -> None:
    first, skipped = link.commit(2)
    link.apply([first])
    link.look(2)
    link.source.start = link.source.end + 10
    link.apply(link.commit(3))
    account = link.look()
    assert (account.since_s, account.until_s) == (None, None)
    link.look(2)
    link.apply(link.commit(2))
    account = link.look(3)
    assert account.since_s is not None
    assert link.found() == [(Fault.MISSING, skipped)]


@pytest.mark.parametrize("log", ["source", "replica"])
@pytest.mark.parametrize(
    ("is_gone", "is_running", "is_kept"), [(True, True, True), (False, False, True), (False, True, False)]
)
def test_account__a_log_was_not_read_on__its_place_is_kept_unless_the_channel_ran(
    link: Link, log: str, *, is_gone: bool, is_running: bool, is_kept: bool
) -> None:
    """Purged while it is read, or more than can be read at once; a channel that stood may be moved behind it."""
    link.is_running = is_running
    link.look()
    followed: Log = getattr(link, log)
    place = f"{FILE}:{followed.end}"
    link.commit(2)
    followed.jump(is_gone=is_gone)
    account = link.look()
    assert account.since_s is None
    assert {node_id: at for node_id, (at, _) in account.unread.items()} == ({followed.node: place} if is_kept else {})
    assert StreamAccount.from_json(json.loads(json.dumps(account.to_json()))) == account


def test_account__ran_again_before_a_log_was_not_read_on__nothing_is_kept(link: Link) -> None:
    link.is_running = False
    link.look()
    link.is_running = True
    link.look()
    link.source.jump(is_gone=False)
    assert link.look().unread == {}


def test_account__the_sources_log_has_another_name_since__begins_anew(link: Link) -> None:
    link.commit(1)
    place = FilePosition("other.000001", 100)
    for passed in (place, FilePosition(FILE, 150)):
        reads = LogRead("db-a1", link.source, place), link.replica.read()
        account = link.accountant.take(link.account, *reads, passed, OUTSIDE, 9.0)
        assert (account.since_s, account.until_s, account.unaccounted) == (None, None, ())
    link.look(3)
    assert link.found() == []


def moved_to_neighbour(link: Link) -> None:
    """The channel reads from db-a2 now."""
    link.source, link.neighbour = link.neighbour, link.source


@pytest.mark.parametrize("unread", [0, 2])
def test_account__moved_to_another_source__goes_on_though_its_numbers_differ(link: Link, unread: int) -> None:
    link.apply(link.commit(4))
    link.look(2)
    link.log(link.commit(unread))
    moved_to_neighbour(link)
    link.passed = link.source.end
    link.look(2)
    link.commit(3)
    link.apply([group.gtid for group in link.source.groups[-3:]])
    account = link.look(4)
    assert link.found() == []
    assert (account.groups, account.since_s) == (4 + unread + 3, 3.0)


def test_account__moved_by_hand_behind_what_was_not_applied__missing(link: Link) -> None:
    link.apply(link.commit(4))
    link.look(2)
    link.commit(2)
    moved_to_neighbour(link)
    link.passed = link.source.end
    left_out = [group.gtid for group in link.source.groups[-2:]]
    link.look(2)
    link.commit(1)
    link.apply([link.source.groups[-1].gtid])
    link.look(4)
    assert link.found() == [(Fault.MISSING, gtid) for gtid in left_out]


def test_account__source_lost_within_an_alter_of_two_halves__the_neighbours_whole_one_is_awaited(link: Link) -> None:
    link.apply(link.commit(2))
    link.source.write("0-11-800", MILAN, None, changes_nothing=True)
    link.passed = link.source.end
    link.look(2)
    moved_to_neighbour(link)
    link.source.write("0-11-807", MILAN, None)
    link.apply(["0-11-807"])
    account = link.look(5)
    assert (link.found(), account.groups) == ([], 3)


def test_account__moved_while_applied_groups_wait_for_the_source__goes_on(link: Link) -> None:
    """The usual case under load: the log was read just before the place."""
    link.apply(link.commit(4))
    waiting = link.commit(2)
    link.passed = link.source.end
    link.look()
    link.log(waiting)
    moved_to_neighbour(link)
    link.passed = link.source.end
    link.look(2)
    link.commit(1)
    link.apply([link.source.groups[-1].gtid])
    account = link.look(4)
    assert (link.found(), account.since_s, account.groups) == ([], 3.0, 7)


def test_account__moved_although_passed_groups_never_came__missing(link: Link) -> None:
    waiting = link.commit(2)
    link.passed = link.source.end
    link.look()
    moved_to_neighbour(link)
    link.passed = link.source.end
    link.look(3)
    assert link.found() == [(Fault.MISSING, gtid) for gtid in waiting]


def another_console(link: Link) -> None:
    """The console is started again: what was read is gone, what was stored is not."""
    kept = replace(link.account, span=link.accountant.kept())
    link.account = StreamAccount.from_json(json.loads(json.dumps(kept.to_json())))
    link.accountant = Accountant()


def test_account__the_console_was_started_again__goes_on_and_sees_what_was_left_out_meanwhile(link: Link) -> None:
    waiting = link.commit(3)
    link.passed = link.source.end
    link.look()
    another_console(link)
    link.log(waiting)
    left_out = link.commit(2)
    link.passed = link.source.end
    link.apply(link.commit(1))
    account = link.look(3)
    assert link.found() == [(Fault.MISSING, gtid) for gtid in left_out]
    assert (account.since_s, account.groups) == (3.0, 4)


def test_account__the_console_was_started_again_and_the_channel_moved_meanwhile__goes_on(link: Link) -> None:
    link.apply(link.commit(2))
    link.look(2)
    another_console(link)
    link.log(link.commit(2))
    moved_to_neighbour(link)
    link.passed = link.source.end
    account = link.look(4)
    assert (link.found(), account.since_s, account.groups) == ([], 3.0, 4)


def test_account__too_much_waits__not_kept(link: Link) -> None:
    link.commit(501)
    link.passed = link.source.end
    link.look()
    assert link.accountant.kept() is None
    assert resume_places(None) == {}


def test_account__moved_by_hand_where_one_of_three_was_not_applied__one_is_missing(link: Link) -> None:
    link.apply(link.commit(4))
    link.look(2)
    one, _ = link.commit(2)
    link.log([one])
    moved_to_neighbour(link)
    link.passed = link.source.end
    link.look(4)
    assert [fault for fault, _ in link.found()] == [Fault.MISSING]


def test_account__moved_to_another_replica_that_numbers_differently__goes_on_in_its_log(link: Link) -> None:
    link.apply(link.commit(4))
    passed = link.commit(2)
    link.passed = link.source.end
    link.look()
    for number, gtid in enumerate(passed):
        link.log([gtid])
        renumbered = replace(link.other_replica.groups[-1], gtid=f"0-11-{7_000 + number}")
        link.other_replica.groups[-1] = renumbered
    link.replica, link.other_replica = link.other_replica, link.replica
    link.look(2)
    link.apply(link.commit(3))
    account = link.look(4)
    assert (link.found(), account.since_s, account.groups) == ([], 3.0, 9)


def test_account__moved_to_another_replica__goes_on_in_its_log(link: Link) -> None:
    link.apply(link.commit(4))
    link.look(2)
    link.replica, link.other_replica = link.other_replica, link.replica
    link.look()
    first, skipped = link.commit(2)
    link.apply([first])
    link.look(3)
    assert link.found() == [(Fault.MISSING, skipped)]
    assert link.account.since_s == 3.0


def test_account__moved_behind_a_ddl__its_place_is_found_behind_the_last_number(link: Link) -> None:
    link.apply(link.commit(2))
    link.apply(link.commit(1, is_ddl=True))
    link.look(2)
    moved_to_neighbour(link)
    link.passed = link.source.end
    link.look(2)
    link.commit(1)
    link.apply([link.source.groups[-1].gtid])
    account = link.look(3)
    assert link.found() == []
    assert account.groups == 4


def test_account__stored_and_read_again__is_the_same(link: Link) -> None:
    link.commit(1)
    link.passed = link.source.end
    account = link.look(3)
    assert StreamAccount.from_json(account.to_json()) == account
    assert StreamAccount.from_json(None) == StreamAccount()
    assert account.without({account.unaccounted[0].gtid}).unaccounted == ()


def test_account__more_than_can_be_listed__counted(link: Link) -> None:
    link.commit(130)
    link.passed = link.source.end
    account = link.look(3)
    assert (len(account.unaccounted), account.more) == (100, 30)
    gtids = [one.gtid for one in account.unaccounted]
    assert account.without(gtids[1:]).more == 30
    assert account.without(gtids) == replace(account, unaccounted=(), more=0, settled=account.unaccounted)


def test_left_out__whole_transactions_of_the_source__settled_or_not() -> None:
    place = "binlog.000001:900", "binlog.000001:1200"
    one = Unaccounted(Fault.MISSING, "n_a1", "0-11-77", 512, 11, *place, 0)
    filtered = replace(one, fault=Fault.FILTERED, gtid="0-11-78")
    others = replace(one, fault=Fault.EXTRA, gtid="0-11-79"), replace(one, gtid="0-11-80", tables=("shop.orders",))
    account = StreamAccount().with_found((one, filtered, *others))
    assert account.left_out == (one, filtered)
    settled = StreamAccount.from_json(account.without({one.gtid, "0-11-79"}).to_json())
    assert set(settled.left_out) == {one, filtered}
    assert StreamAccount().with_lists_of(settled).left_out == settled.left_out


def test_account__moved_to_another_source__what_it_sends_is_compared_again(link: Link) -> None:
    moved_to_neighbour(link)
    link.look(3)
    link.fill(1, 7, columns=b"bigint")
    link.look()
    assert list(link.account.other_columns) == ["bank.t"]


@pytest.mark.parametrize("polls", [1, 0])
def test_account__moved_to_another_replica_as_it_began__what_was_applied_before_is_not_compared(polls: int) -> None:
    """Seen in the story under load: each group was compared with the one behind it."""
    link = Link()
    link.apply(link.commit(1))
    link.look()
    link.apply(link.commit(2))
    link.look()
    link.apply(link.commit(1))
    link.look(polls)
    link.replica, link.other_replica = link.other_replica, link.replica
    for table in ("bank.u", "bank.t", "bank.u"):
        gtids = link.commit(1)
        link.source.change_last(table)
        link.apply(gtids)
        link.replica.change_last(table)
        link.look()
    link.look(4)
    assert link.found() == []
    assert link.account.since_s is not None


def test_account__rows_of_both_logs_are_the_same__counted_as_compared(link: Link) -> None:
    link.fill(1, 1)
    link.fill(2, 2)
    account = link.look(3)
    assert (account.compared, account.other_rows, account.other_columns) == (2, {}, {})


def test_account__replica_logged_other_rows__named_with_the_first_transaction_until_a_minute_later(link: Link) -> None:
    first = link.fill(1, 7)
    link.look()
    link.fill(2, 8)
    assert link.look().other_rows == {"bank.t": (first, link.now_s)}
    assert link.found() == []
    assert StreamAccount.from_json(json.loads(json.dumps(link.account.to_json()))) == link.account
    assert link.look(70).other_rows == {}


def test_account__replica_logged_rows_of_what_the_source_logged_none__named(link: Link) -> None:
    """A statement stands in the source's log: each server makes rows of its own of it."""
    (gtid,) = link.commit()
    link.source.change_last()
    link.apply([gtid])
    assert link.look().other_rows == {"bank.t": (gtid, link.now_s)}
    assert (link.look(70).other_rows, link.found()) == ({}, [])


@pytest.mark.parametrize(("is_ddl", "tables"), [(True, ["bank.t"]), (False, [])])
def test_account__statement_of_its_own_or_without_rows_in_either_log__nothing(
    link: Link, tables: list[str], *, is_ddl: bool
) -> None:
    """As the DELETE that empties a table in memory after a restart: a replica logs the rows that it deletes."""
    (gtid,) = link.commit(is_ddl=is_ddl)
    link.source.change_last()
    link.apply([gtid])
    link.replica.change_last(*tables)
    link.look(3)
    assert (link.account.other_rows, link.found()) == ({}, [])


def test_account__rows_of_other_columns__told_for_a_minute_and_rows_are_not_compared(link: Link) -> None:
    link.fill(1, 7, columns=b"bigint")
    account = link.look()
    assert (list(account.other_columns), account.other_rows, link.found()) == (["bank.t"], {}, [])
    link.fill(1, 1)
    assert list(link.look().other_columns) == ["bank.t"]
    assert link.look(70).other_columns == {}


@pytest.mark.parametrize(("rows", "images"), [(7, b"minimal"), (None, b"all")])
def test_account__rows_that_cannot_be_compared__nothing(link: Link, rows: int | None, images: bytes) -> None:
    link.fill(1, rows, images=images)
    account = link.look(3)
    assert (account.other_columns, account.other_rows) == ({}, {})


@pytest.mark.parametrize("late", ["source", "replica"])
def test_account__rows_are_read_later_than_the_groups__awaited(link: Link, late: str) -> None:
    gtid = link.fill(1, 7)
    rows = getattr(link, late).rows
    rows.until = 0
    assert link.look(3).other_rows == {}
    rows.until = 10**9
    assert link.look().other_rows == {"bank.t": (gtid, link.now_s)}


def test_account__rows_of_one_are_not_known__later_ones_are_compared(link: Link) -> None:
    link.fill(1, 1)
    assert link.replica.rows is not None
    link.replica.rows.known.clear()
    gtid = link.fill(2, 8)
    account = link.look()
    assert (account.compared, list(account.other_rows.values())) == (1, [(gtid, link.now_s)])


def test_account__place_holds_another_transaction_since__its_rows_are_not_compared(link: Link) -> None:
    link.fill(1, 7)
    assert link.replica.rows is not None
    (ends, (_, rows)), *_ = link.replica.rows.known.items()
    link.replica.rows.known[ends] = "0-11-1", rows
    assert (link.look().compared, link.account.other_rows) == (0, {})


def test_account__rows_are_read_no_more__what_waits_is_not_compared(link: Link) -> None:
    link.fill(1, 7)
    assert link.source.rows is not None
    link.source.rows.until = 0
    link.look()
    rows, link.source.rows = link.source.rows, None
    link.look()
    rows.until = 10**9
    link.source.rows = rows
    assert (link.look().compared, link.account.other_rows) == (0, {})
