"""The dialect of MySQL on a real pair: what it reads, and every statement that it builds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.binlog.content import are_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, groups_from
from backend.core.binlog.logs import BinaryLog, RelayLog
from backend.core.dialects import dialect_to_watch, plan_refusal
from backend.core.dialects.base import ChangeSource, FromGtidSlavePos, Thread
from backend.core.dialects.galera import FILTERS
from backend.core.facts.channel_filters import filter_column
from backend.core.gtid_sets import MysqlGtidSet
from backend.core.positions import FilePosition
from backend.core.topology import ChannelFacts, NodeFacts
from backend.gateway.connection.session import Session
from backend.gateway.polling.poll import poll_node
from backend.gateway.reader import Reader
from deploy.lab.mysql.pair import Pair
from deploy.lab.mysql.server import ROOT, MysqlServer
from deploy.lab.server.database import admin_session, rows
from tests.mysql.pair import access

pytestmark = pytest.mark.server
DIALECT = dialect_to_watch("mysql", "9.7.4")


def observed(pair: Pair, server: MysqlServer) -> NodeFacts:
    """One poll of a server with the monitor account."""
    found = access(pair, server)
    session = Session(found.ref.name, found.monitor, read_only=True)
    try:
        return poll_node(session, found.ref)
    finally:
        session.close()


def channel_of(pair: Pair) -> ChannelFacts:
    """The channel as the console reads it."""
    facts = observed(pair, pair.replica)
    assert facts.channels, facts.error
    return facts.channels[0]


def run(server: MysqlServer, *statements: str) -> None:
    """Statements of one session of the administrator."""
    with admin_session(server.socket, ROOT) as connection:
        for statement in statements:
            rows(connection, statement)


def test_poll__filter_set_on_the_server__read_as_the_channel_shows_it(pair: Pair) -> None:
    """The table of the server's filters and the status of a channel write several rules alike."""
    stop, start = DIALECT.stop_slave(pair.channel, Thread.SQL), DIALECT.start_slave(pair.channel)
    rules = "REPLICATE_IGNORE_DB = (shop, `old-shop`), REPLICATE_WILD_DO_TABLE = ('ba%.%', 'hawser.%')"
    run(pair.replica, stop, f"CHANGE REPLICATION FILTER {rules}")
    try:
        facts, (channel,) = observed(pair, pair.replica), observed(pair, pair.replica).channels or ()
    finally:
        none = "REPLICATE_IGNORE_DB = (), REPLICATE_WILD_DO_TABLE = ()"
        run(pair.replica, f"CHANGE REPLICATION FILTER {none}", start)
    assert {name: facts.variable(name) for name in FILTERS} == {
        name: channel.options[filter_column(name)] for name in FILTERS
    }
    assert facts.variable("replicate_wild_do_table") == "ba%.%,hawser.%"
    assert {observed(pair, pair.replica).variable(name) for name in FILTERS} == {""}


def write(pair: Pair, name: str) -> None:
    """One transaction of each kind that matters: plain, several tables, compressed, DDL."""
    insert = f"INSERT INTO bank.entries VALUES ('{name}-%s', 1, 'x')"
    run(pair.source, insert % "plain")
    run(
        pair.source,
        "BEGIN",
        insert % "a",
        insert % "b",
        f"DELETE FROM bank.entries WHERE write_id='{name}-a'",
        "COMMIT",
    )
    run(pair.source, "SET SESSION binlog_transaction_compression=ON", insert % "compressed")
    run(pair.source, "CREATE TABLE bank.of_dialect (id INT PRIMARY KEY)", "DROP TABLE bank.of_dialect")
    pair.catch_up()


def test_poll__both_servers__facts_as_of_a_node_that_is_watched(pair: Pair) -> None:
    source, replica = observed(pair, pair.source), observed(pair, pair.replica)
    assert (source.is_up, source.flavor, source.version) == (True, "mysql", replica.version)
    assert source.binlog is not None
    assert source.binlog.files
    assert source.channels == ()
    assert (source.wsrep, source.variable("read_only"), source.variable("gtid_mode")) == (None, "OFF", "ON")
    assert "without Galera" in (plan_refusal(source.flavor, source.version) or "")
    (channel,) = replica.channels or ()
    assert (channel.name, channel.io_running, channel.sql_running) == (pair.channel, "Yes", "Yes")
    assert channel.source_address == (pair.source.node.host, pair.source.node.port)
    assert DIALECT.settings_of(channel).tls.verify_server_cert


def test_logs__source_replica_and_relay_log__the_same_groups(pair: Pair) -> None:
    begin = pair.source.sql("SHOW BINARY LOG STATUS")[0]
    at_replica = pair.replica.sql("SHOW BINARY LOG STATUS")[0]
    write(pair, "logs")
    sent = groups(pair, pair.source, FilePosition(str(begin["File"]), int(begin["Position"])))
    applied = groups(pair, pair.replica, FilePosition(str(at_replica["File"]), int(at_replica["Position"])))
    assert [one.gtid_text for one in sent] == [one.gtid_text for one in applied]
    assert len(sent) == 5
    assert are_same([one.content for one in sent], [one.content for one in applied])
    found = access(pair, pair.replica)
    reader = Reader(found.ref, found.monitor)
    channel = channel_of(pair)
    events = RelayLog(reader, DIALECT, channel.name).events(channel.relay_file, 4, limit=2000)
    reader.close()
    assert {one.gtid_text for one in sent} <= {
        e.info.split("'")[1] for e in events if e.type in DIALECT.events.gtid_events
    }


def groups(pair: Pair, server: MysqlServer, start: FilePosition) -> list[Group]:
    """The groups of a server's log from a boundary on, read by the monitor account."""
    found = access(pair, server)
    reader = Reader(found.ref, found.monitor)
    try:
        return list(groups_from(Cursor(BinaryLog(reader, DIALECT)), start, page_rows=3))
    finally:
        reader.close()


def test_gtid_sets__what_the_servers_show__subtract_as_the_server_does(pair: Pair) -> None:
    pair.replica.sql(DIALECT.stop_slave(pair.channel, Thread.SQL))
    write_only(pair, "gtids")
    source, replica = (executed(server) for server in pair.servers)
    missing = source.minus(replica)
    shown = pair.source.sql(f"SELECT GTID_SUBTRACT('{source}', '{replica}') AS missing")[0]["missing"]
    assert (str(missing), missing.count) == (str(shown).replace("\n", ""), 1)
    pair.replica.sql(DIALECT.start_slave(pair.channel, Thread.SQL))
    pair.catch_up()
    assert source.is_contained_in(executed(pair.replica))


def write_only(pair: Pair, name: str) -> None:
    pair.source.sql(f"INSERT INTO bank.entries VALUES ('{name}', 1, 'x')")


def executed(server: MysqlServer) -> MysqlGtidSet:
    """What a server has executed, by the dialect's query."""
    return MysqlGtidSet.parse(str(server.sql(DIALECT.gtid_slave_pos_query())[0]["gtid"]))


@pytest.mark.parametrize("by_gtid", [True, False])
def test_change_source__channel_removed_and_made_again__every_setting_as_before(pair: Pair, *, by_gtid: bool) -> None:
    name = pair.channel
    write_only(pair, f"before-{by_gtid}")  # a channel by GTID has no position before its first transaction
    pair.catch_up()
    run(
        pair.replica,
        DIALECT.stop_slave(name),
        "CHANGE REPLICATION SOURCE TO SOURCE_RETRY_COUNT=77, SOURCE_DELAY=1, GET_SOURCE_PUBLIC_KEY=1, "
        "REQUIRE_ROW_FORMAT=1, SOURCE_COMPRESSION_ALGORITHMS='zstd,uncompressed', SOURCE_TLS_VERSION='TLSv1.3', "
        f"PRIVILEGE_CHECKS_USER=NULL FOR CHANNEL '{name}'",
    )
    before = channel_of(pair)
    assert before.exec_position is not None
    account = pair.accounts["replication"]
    sql = DIALECT.change_source(
        ChangeSource(
            name,
            *before.source_address,
            account.user,
            FromGtidSlavePos() if by_gtid else before.exec_position,
            (),
            DIALECT.settings_of(before),
        )
    )
    pair.replica.sql(DIALECT.reset_slave_all(name))
    pair.replica.sql(sql.replace("{{secret:replication}}", account.password))
    after = channel_of(pair)
    assert (after.options, after.source_address) == (before.options, before.source_address)
    assert after.using_gtid == ("Auto_Position" if by_gtid else "No")
    pair.replica.sql(DIALECT.start_slave(name))
    write_only(pair, f"moved-{by_gtid}")
    pair.catch_up()
    assert executed(pair.source).is_contained_in(executed(pair.replica))
    run(pair.replica, DIALECT.stop_slave(name), DIALECT.reset_slave_all(name))
    pair.connect()


def test_change_source__ignored_servers__refused_by_gtid_and_kept_without(pair_without_gtid: Pair) -> None:
    pair = pair_without_gtid
    before = channel_of(pair)
    assert before.ignore_server_ids == (pair.replica.node.server_id,)
    assert before.exec_position is not None
    account = pair.accounts["replication"]
    change = ChangeSource(
        pair.channel,
        *before.source_address,
        account.user,
        before.exec_position,
        before.ignore_server_ids,
        DIALECT.settings_of(before),
    )
    pair.replica.sql(DIALECT.stop_slave(pair.channel))
    pair.replica.sql(DIALECT.change_source(change).replace("{{secret:replication}}", account.password))
    assert replace(channel_of(pair), sql_state="").ignore_server_ids == before.ignore_server_ids
    pair.replica.sql(DIALECT.start_slave(pair.channel))
    write_only(pair, "by-position-again")
    pair.catch_up()


def test_fence__application_and_administrator__neither_writes_until_it_is_opened(pair: Pair) -> None:
    pair.replica.sql(DIALECT.set_global("read_only", "ON"))
    try:
        assert observed(pair, pair.replica).variable("read_only") == "ON"
        with pytest.raises(Exception, match="super-read-only"):
            pair.replica.sql("CREATE TABLE bank.through_the_fence (id INT)")
        write_only(pair, "through-the-channel")
        pair.catch_up()
    finally:
        pair.replica.sql(DIALECT.set_global("read_only", "OFF"))
    assert observed(pair, pair.replica).variable("read_only") == "OFF"
