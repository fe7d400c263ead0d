"""Statements are built from typed parts only; what is not of its shape is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.dialects import DialectError, detect_flavor, dialect_for, flavor_of
from backend.core.dialects.base import (
    ChangeSource,
    ChannelSettings,
    ChannelTls,
    PositionPlaceholder,
    Thread,
    fill_position,
)
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.dialects.quoting import secret_literal
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from backend.gateway.connection.statement_filter import is_changing, is_reading

DIALECT = MariadbDialect()
SETTINGS = ChannelSettings(5, "2.500", 3, ChannelTls(enabled=True, ca="/etc/ca.pem", verify_server_cert=True))
CHANGE = ChangeSource(
    name="hawser",
    host="127.0.1.2",
    port=3306,
    user="repl",
    position=FilePosition("binlog.000007", 4711),
    ignore_server_ids=(11, 12, 13),
    settings=SETTINGS,
)


def test_change_source__all_parts__every_setting_is_stated() -> None:
    assert DIALECT.change_source(CHANGE) == (
        "CHANGE MASTER 'hawser' TO\n"
        "  MASTER_HOST='127.0.1.2', MASTER_PORT=3306,\n"
        "  MASTER_USER='repl', MASTER_PASSWORD='{{secret:replication}}',\n"
        "  MASTER_LOG_FILE='binlog.000007', MASTER_LOG_POS=4711, MASTER_USE_GTID=no,\n"
        "  MASTER_CONNECT_RETRY=5, MASTER_HEARTBEAT_PERIOD=2.500, MASTER_DELAY=3,\n"
        "  MASTER_SSL=1, MASTER_SSL_VERIFY_SERVER_CERT=1, MASTER_SSL_CA='/etc/ca.pem',\n"
        "  MASTER_SSL_CAPATH='', MASTER_SSL_CERT='', MASTER_SSL_KEY='', MASTER_SSL_CIPHER='',"
        " MASTER_SSL_CRL='', MASTER_SSL_CRLPATH='',\n"
        "  IGNORE_SERVER_IDS=(11,12,13), DO_DOMAIN_IDS=(), IGNORE_DOMAIN_IDS=()"
    )


def test_change_source__position_mark__filled_afterwards_equals_given_at_once() -> None:
    mark = PositionPlaceholder(Direction.FORWARD)
    template = DIALECT.change_source(replace(CHANGE, position=mark))

    assert "MASTER_LOG_FILE='{{forward.file}}', MASTER_LOG_POS={{forward.offset}}" in template
    assert fill_position(template, mark, FilePosition("binlog.000007", 4711)) == DIALECT.change_source(CHANGE)


def test_fill_position__offset_that_a_replica_cannot_ask_for__refused() -> None:
    mark = PositionPlaceholder(Direction.FORWARD)
    template = DIALECT.change_source(replace(CHANGE, position=mark))
    with pytest.raises(DialectError, match="below 4 GiB"):
        fill_position(template, mark, FilePosition("binlog.000007", 2**32))


def test_fill_position__statement_for_the_other_direction__refused() -> None:
    forward = DIALECT.change_source(replace(CHANGE, position=PositionPlaceholder(Direction.FORWARD)))
    with pytest.raises(DialectError):
        fill_position(forward, PositionPlaceholder(Direction.REVERSE), FilePosition("binlog.000007", 4711))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "a\nb"},
        {"name": "\U0001f600"},
        {"name": "\u0130stanbul"},
        {"name": "a" * 192},
        {"host": "a b"},
        {"host": "h'"},
        {"host": "h\\"},
        {"host": ""},
        {"user": "u'"},
        {"user": 'u"'},
        {"user": "u\n"},
        {"user": "u\x00"},
        {"user": "u\\"},
        {"user": "u" * 256},
        {"port": 0},
        {"port": 65536},
        {"password": "hunter2"},
        {"ignore_server_ids": (-1,)},
        {"ignore_server_ids": (2**32,)},
        {"position": None},
        {"position": "binlog.000007:4"},
        {"position": FilePosition("binlog.000007", 2**32)},
        {"settings": replace(SETTINGS, heartbeat_period_s="1;")},
        {"settings": replace(SETTINGS, delay_s=-1)},
        {"settings": replace(SETTINGS, tls=ChannelTls(ca="/x' OR"))},
        {"settings": replace(SETTINGS, do_domain_ids=(3,))},
    ],
    ids=str,
)
def test_change_source__part_of_wrong_shape__refused(change: dict[str, object]) -> None:
    with pytest.raises(DialectError):
        DIALECT.change_source(replace(CHANGE, **change))  # type: ignore[arg-type]


def test_thread_statements__with_and_without_name__as_the_server_wants_them() -> None:
    assert DIALECT.stop_slave("") == "STOP SLAVE"
    assert DIALECT.stop_slave("a_b", Thread.IO) == "STOP SLAVE 'a_b' IO_THREAD"
    assert DIALECT.start_slave("a_b", Thread.SQL) == "START SLAVE 'a_b' SQL_THREAD"
    assert DIALECT.reset_slave_all("a_b") == "RESET SLAVE 'a_b' ALL"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dr_east-1", "'dr_east-1'"),
        ("x'; DROP DATABASE a; --", "'x''; DROP DATABASE a; --'"),
        ("back\\slash' ", "'back\\\\slash'' '"),
        ("Größe 日本", "'Größe 日本'"),
    ],
)
def test_statements__any_name_a_server_takes__quoted_in_every_one_and_one_statement(name: str, text: str) -> None:
    statements = {
        DIALECT.stop_slave(name): f"STOP SLAVE {text}",
        DIALECT.start_slave(name): f"START SLAVE {text}",
        DIALECT.reset_slave_all(name): f"RESET SLAVE {text} ALL",
    }
    for sql, expected in statements.items():
        assert sql == expected
        assert is_changing(sql)
    change = DIALECT.change_source(replace(CHANGE, name=name))
    assert change.startswith(f"CHANGE MASTER {text} TO\n")
    assert is_changing(change)
    events = DIALECT.relay_events_query(name, "relay-bin-dr_east@002d1.000001", 4, limit=5)
    assert events == f"SHOW RELAYLOG {text} EVENTS IN 'relay-bin-dr_east@002d1.000001' FROM 4 LIMIT 5"
    assert is_reading(events)


@pytest.mark.parametrize("name", ["{{secret:replication}}", "{{{secret:replication}}", "{{forward.file}}"])
def test_change_source__name_that_reads_like_a_mark__is_never_filled(name: str) -> None:
    mark = PositionPlaceholder(Direction.FORWARD)
    template = DIALECT.change_source(replace(CHANGE, name=name, position=mark))
    filled = fill_position(template, mark, FilePosition("binlog.000007", 4711))
    assert filled.partition(" TO\n")[0] == "CHANGE MASTER '" + name.replace("{", "\\{") + "'"
    assert filled.count("{{secret:replication}}") == 1


def test_event_queries__window__bounded_and_quoted() -> None:
    assert (
        DIALECT.binlog_events_query("binlog.000001", 4, limit=10)
        == "SHOW BINLOG EVENTS IN 'binlog.000001' FROM 4 LIMIT 10"
    )
    assert (
        DIALECT.binlog_events_query("binlog.000001", limit=1, skip=20_000)
        == "SHOW BINLOG EVENTS IN 'binlog.000001' LIMIT 20000,1"
    )
    assert DIALECT.relay_events_query("c", limit=5) == "SHOW RELAYLOG 'c' EVENTS LIMIT 5"
    with pytest.raises(DialectError):
        DIALECT.binlog_events_query("x'y.000001", 4, limit=10)
    with pytest.raises(DialectError):
        DIALECT.relay_events_query("c", "../relay-bin.000001", 4, limit=10)


def test_secret_literal__quotes_and_backslashes__doubled() -> None:
    assert secret_literal("a'b\\c") == "a''b\\\\c"
    with pytest.raises(DialectError):
        secret_literal("two\nlines")


@pytest.mark.parametrize(
    ("version", "comment", "flavor"),
    [
        ("10.11.19-MariaDB-0+deb12u1-log", "Debian 12", "mariadb"),
        ("8.0.36-28.1", "Percona XtraDB Cluster (GPL)", "pxc"),
        ("9.7.4", "(Debian)", "mysql"),
    ],
)
def test_detect_flavor__version_texts__told_apart(version: str, comment: str, flavor: str) -> None:
    assert detect_flavor(version, comment) == flavor


def test_flavor__mysql_with_settings_of_wsrep__is_galera_cluster_for_mysql() -> None:
    found = {"version": "8.0.41-26.22", "version_comment": "MySQL Community Server - GPL"}
    assert (flavor_of(found), flavor_of({**found, "wsrep_on": "ON"})) == ("mysql", "mysql-wsrep")


@pytest.mark.parametrize(
    ("flavor", "version"),
    [("pxc", "8.0.36"), ("mysql", "9.7.4"), ("mariadb", "10.4.30"), ("mariadb", "12.3.1"), (None, None)],
)
def test_dialect_for__unknown_server__refused_by_name(flavor: str | None, version: str | None) -> None:
    with pytest.raises(DialectError, match=version or "unknown"):
        dialect_for(flavor, version)
