"""An unsafe setting of a node as the monitor keeps it: stored while it is there, told once when it is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.core.dialects import dialect_for
from backend.core.positions import FilePosition
from backend.core.topology import NodeFacts
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import LinkStatus, UnsafePeriod
from backend.monitoring.recording.unsafe_periods import UnsafeInLogs
from backend.monitoring.site_records import with_site_records
from backend.monitoring.unaccounted import unsafe_settings_settle
from tests.monitoring.facts import gone, link, up
from tests.monitoring.ticks import raised_kinds, tick

pytestmark = pytest.mark.django_db
TOLD = "link.rows_may_differ"


def without_galera() -> dict[str, NodeFacts]:
    node = up("a3")
    return {"a3": replace(node, variables=node.variables | {"wsrep_on": "OFF"})}


def state(stored: Link) -> str:
    return LinkStatus.objects.get(link=stored).state


def test_unsafe_setting__taken_back__degraded_and_told_once_until_it_is_settled(stored_link: Link) -> None:
    tick(stored_link)
    assert state(stored_link) == "protected"
    tick(stored_link, without_galera(), after_s=1)
    tick(stored_link, without_galera(), after_s=2)
    assert TOLD not in raised_kinds()

    tick(stored_link, after_s=3)
    tick(stored_link, after_s=4)

    assert (state(stored_link), raised_kinds().count(TOLD)) == ("degraded", 1)
    row = UnsafePeriod.objects.get()
    assert (row.node_id, row.variable, row.value, row.ended_at is None) == ("n_a3", "wsrep_on", "OFF", False)

    settings = [{"node_id": "n_a3", "variable": "wsrep_on"}]
    unsafe_settings_settle(actor="olaf", link=stored_link, settings=settings, reason="nothing was written there")
    tick(stored_link, after_s=5)
    assert state(stored_link) == "protected"


def test_unsafe_setting__stored__known_to_a_plan(stored_link: Link) -> None:
    tick(stored_link, without_galera())
    tick(stored_link, after_s=1)

    (period,) = with_site_records(replace(link(), id=stored_link.id)).unsafe_periods

    assert (period.node, period.variable, period.until_s is None) == ("db-a3", "wsrep_on", False)


def test_unsafe_setting__back_again__the_same_row_goes_on_and_is_told_again(stored_link: Link) -> None:
    for after_s, spoiled in enumerate((without_galera(), None, without_galera(), None)):
        tick(stored_link, spoiled, after_s=after_s)

    assert (UnsafePeriod.objects.count(), raised_kinds().count(TOLD)) == (1, 2)


def test_statement_of_a_session__told_of_the_server_that_wrote_it_and_for_a_minute() -> None:
    found = UnsafeInLogs()
    tails = {name: BinlogTail(FilePosition("binlog.000002", 800)) for name in ("a1", "a2")}
    rows = [
        (b"", 800, b"Gtid", 11, 842, b"BEGIN GTID 0-11-7"),
        (b"", 842, b"Query", 11, 960, b"use `bank`; INSERT INTO t VALUES (UUID())"),
        (b"", 960, b"Xid", 11, 991, b"COMMIT /* xid=46 */"),
    ]
    for tail in tails.values():
        tail.advance(lambda sql: rows, dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition("binlog.000002", 991))
    polled = {f"n_{name}": Polled(up(name), None, tail) for name, tail in tails.items()}
    told = {("n_a1", "binlog_format"): "STATEMENT in a session"}
    assert found.take(polled, {}, 100.0) == told
    alone = {("n_a2", "wsrep_on"): "OFF in a session"}
    assert found.take(polled, alone, 150.0) == told | alone
    assert found.take(polled, {}, 161.0) == alone


def added_with_uuid(server_id: int, *names: str) -> dict[str, Polled]:
    """Polls of these nodes, in whose logs that server added a column."""
    rows = [
        (b"", 800, b"Gtid", server_id, 842, f"GTID 0-{server_id}-7".encode()),
        (b"", 842, b"Query", server_id, 960, b"use `bank`; ALTER TABLE t ADD c CHAR(36) DEFAULT (UUID())"),
    ]
    tails = {name: BinlogTail(FilePosition("binlog.000002", 800)) for name in names}
    for tail in tails.values():
        tail.advance(lambda sql: rows, dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition("binlog.000002", 960))
    return {f"n_{name}": Polled(up(name), None, tail) for name, tail in tails.items()}


def test_statement_of_a_server_of_neither_side__told_of_each_node_whose_log_has_it() -> None:
    found = UnsafeInLogs().take(added_with_uuid(900, "a1", "b1"), {}, 100.0)
    assert found == {(node_id, "DEFAULT"): "UUID() by server_id 900" for node_id in ("n_a1", "n_b1")}


def test_statement_of_a_node_that_died_before_it_was_read__told_of_those_whose_logs_have_it() -> None:
    polled = added_with_uuid(11, "a2", "b1") | {"n_a1": Polled(gone("a1"), None, BinlogTail())}
    found = UnsafeInLogs().take(polled, {}, 100.0)
    assert found == {(node_id, "DEFAULT"): "UUID() by server_id 11" for node_id in ("n_a2", "n_b1")}


def test_flush__of_the_groups_of_a_log__change_nothing() -> None:
    tail = BinlogTail(FilePosition("binlog.000002", 800))
    rows = [
        (b"", 800, b"Gtid", 11, 842, b"GTID 0-11-7"),
        (b"", 842, b"Query", 11, 920, b"use `bank`; FLUSH SSL"),
        (b"", 920, b"Gtid", 11, 962, b"GTID 0-11-8"),
        (b"", 962, b"Query", 11, 999, b"TRUNCATE flush"),
    ]
    end = FilePosition("binlog.000002", 999)
    tail.advance(lambda sql: rows, dialect_for("mariadb", "10.11.19-MariaDB"), end)
    groups = tail.since(FilePosition("binlog.000002", 800))
    assert groups is not None
    assert [group.changes_nothing for group in groups] == [True, False]
