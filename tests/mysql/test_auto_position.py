"""Decisions by sets of GTIDs on real servers, and what the servers then do."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

import pytest

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import groups_from
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects import dialect_to_watch
from backend.core.dialects.base import ChangeSource, FromGtidSlavePos
from backend.core.facts.channel_faults import FaultKind, reading_fault
from backend.core.gtid_sets import MysqlGtidSet
from backend.core.locate.executed_sets import SetCode, decide
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.gateway.reader import Reader
from deploy.lab.mysql.server import ROOT, MysqlServer
from deploy.lab.server.database import admin_session, rows
from tests.mysql.pair import access
from tests.mysql.trio import Trio, running_trio
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
DIALECT = dialect_to_watch("mysql", "9.7.4")
OTHER = "57e801c0-e9a7-11f1-a3b8-02fc00000099"
WRITE = "INSERT INTO bank.entries VALUES ('{id}', 1, 'by sets')"
TABLE = "SELECT * FROM bank.entries ORDER BY write_id"


@pytest.fixture
def trio() -> Iterator[Trio]:
    with running_trio() as made:
        yield made


class Load:
    """Writes one row after the other until it is stopped, every tenth under a tag."""

    def __init__(self, server: MysqlServer, name: str) -> None:
        self.written: list[str] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(server, name))

    def _run(self, server: MysqlServer, name: str) -> None:
        with admin_session(server.socket, ROOT) as connection:
            while not self._stop.wait(0.01):
                number = len(self.written)
                tag = "AUTOMATIC:blue" if number % 10 == 0 else "AUTOMATIC"
                rows(connection, f"SET SESSION gtid_next='{tag}'")
                rows(connection, WRITE.format(id=f"{name}-{number}"))
                self.written.append(f"{name}-{number}")

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def executed(server: MysqlServer) -> MysqlGtidSet:
    return MysqlGtidSet.parse(str(server.value("@@GLOBAL.gtid_executed")))


def await_all(source: MysqlServer, replica: MysqlServer) -> None:
    wait_for(lambda: executed(source).is_contained_in(executed(replica)), "the replica to have it all")


def point_to_second(trio: Trio) -> None:
    """The statement of a plan, every option of the channel carried over."""
    _, second, replica = trio.servers
    (channel,) = trio.observed(replica).channels or ()
    account, node, name = trio.pair.accounts["replication"], second.node, trio.pair.channel
    change = ChangeSource(
        name, node.host, node.port, account.user, FromGtidSlavePos(), (), DIALECT.settings_of(channel)
    )
    replica.sql(DIALECT.change_source(change).replace("{{secret:replication}}", account.password))
    (after,) = trio.observed(replica).channels or ()
    assert after.uses_auto_position
    assert after.source_address == (node.host, node.port)
    assert {n: after.options[n] for n in DIALECT.carried} == {n: channel.options[n] for n in DIALECT.carried}
    replica.sql(DIALECT.start_slave(name))


def logged(trio: Trio, server: MysqlServer) -> Counter[str]:
    """How often each GTID stands in the server's own binary log."""
    found = access(trio.pair, server)
    reader = Reader(found.ref, found.monitor)
    try:
        log = BinaryLog(reader, DIALECT)
        first = FilePosition(log.files()[0][0], FIRST_EVENT_OFFSET)
        return Counter(group.gtid_text for group in groups_from(Cursor(log), first))
    finally:
        reader.close()


def test_move__source_killed_under_load__served_and_each_transaction_exactly_once(trio: Trio) -> None:
    first, second, replica = trio.servers
    with Load(first, "before") as load:
        wait_for(lambda: len(load.written) > 30, "some writes")
        replica.sql(DIALECT.stop_slave(trio.pair.channel))
        seen = len(load.written)
        wait_for(lambda: len(load.written) > seen + 20, "writes that the replica lacks")
    await_all(first, second)
    first.kill()
    second.sql(DIALECT.stop_slave(trio.pair.channel))
    with Load(second, "after") as load:
        wait_for(lambda: len(load.written) > 20, "writes on the second source")
        lacking = executed(second).minus(executed(replica))
        found = decide(trio.sets())
        assert found.code is SetCode.SERVED, found.sentence
        assert found.gap_transactions >= lacking.count > 40
        assert {tag for _, tag in found.gap.intervals} == {"", "blue"}
        point_to_second(trio)
    await_all(second, replica)
    assert replica.sql(TABLE) == second.sql(TABLE)
    assert executed(replica) == executed(second)
    counted = logged(trio, replica)
    assert set(counted.values()) == {1}
    assert MysqlGtidSet.parse(",".join(counted)) == executed(replica)


def test_decide__errant_on_the_replica__refused_and_named(trio: Trio) -> None:
    _, second, replica = trio.servers
    await_all(second, replica)
    with admin_session(replica.socket, ROOT) as connection:
        for sql in (f"SET gtid_next='{OTHER}:1'", WRITE.format(id="errant"), "SET gtid_next='AUTOMATIC'"):
            rows(connection, sql)
    found = decide(trio.sets())
    assert (found.code, str(found.named)) == (SetCode.ERRANT, f"{OTHER}:1")
    with admin_session(second.socket, ROOT) as connection:  # the remedy: an empty transaction under the same GTID
        for sql in (f"SET gtid_next='{OTHER}:1'", "BEGIN", "COMMIT", "SET gtid_next='AUTOMATIC'"):
            rows(connection, sql)
    assert decide(trio.sets()).code is SetCode.SERVED
    replica.sql(WRITE.format(id="of-the-replica-itself"))
    assert decide(trio.sets()).code is SetCode.SERVED, "what the receiving side itself wrote is not errant"


def has_purged(server: MysqlServer) -> bool:
    """Purge every log but the newest; whether that is done.

    A channel that was stopped leaves its session at the source for a moment. A file that this reads is kept, with a
    warning.
    """
    newest = server.sql("SHOW BINARY LOG STATUS")[0]["File"]
    server.sql(f"PURGE BINARY LOGS TO '{newest}'")
    return bool(server.sql("SHOW BINARY LOGS")[0]["Log_name"] == newest)


def test_decide__needed_ones_purged__refused_as_the_server_itself_does(trio: Trio) -> None:
    _, second, replica = trio.servers
    await_all(second, replica)
    replica.sql(DIALECT.stop_slave(trio.pair.channel))
    second.sql(WRITE.format(id="purged"))
    second.sql("FLUSH BINARY LOGS")
    second.sql(WRITE.format(id="kept"))
    wait_for(lambda: has_purged(second), "the session of the stopped channel to let go of the old log")
    found = decide(trio.sets())
    assert (found.code, found.named.count) == (SetCode.PURGED, 1)
    assert str(found.named) in found.sentence
    point_to_second(trio)
    errors: list[str] = []

    def is_refused() -> bool:
        (channel,) = trio.observed(replica).channels or ()
        errors[:] = [f"{channel.io_errno}: {channel.io_error}"]
        fault = reading_fault(channel)
        return fault is not None and fault.kind is FaultKind.POSITION_PURGED

    wait_for(is_refused, "the source to refuse", seen=lambda _: (errors, trio.observed(replica).channels))
    assert errors[0].startswith("13114: ")
    assert "1236" in errors[0]
    assert "purged" in errors[0]
