"""MySQL's statements, text by text: what was sent to 9.7.4 and accepted there (tests/mysql sends them again)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.dialects import DialectError
from backend.core.dialects.base import ChangeSource, ChannelSettings, FromGtidSlavePos, Thread
from backend.core.dialects.mysql import MysqlDialect
from backend.core.dialects.mysql.names import APPLIER_OPTIONS, CONNECTION_OPTIONS
from backend.core.positions import FilePosition, MariadbGtidSet
from tests.core.dialects.mysql_channel import channel

DIALECT = MysqlDialect((9, 7))
CHANGE = ChangeSource(
    "link1", "10.0.0.1", 3306, "repl", FilePosition("binlog.000002", 807), (), DIALECT.settings_of(channel())
)


def test_change_source__settings_of_the_recorded_channel__each_is_stated() -> None:
    sql = DIALECT.change_source(CHANGE)
    assert sql.startswith("CHANGE REPLICATION SOURCE TO\n  SOURCE_HOST='10.0.0.1', SOURCE_PORT=3306,")
    assert sql.endswith("\n FOR CHANNEL 'link1'")
    assert "SOURCE_LOG_FILE='binlog.000002', SOURCE_LOG_POS=807, SOURCE_AUTO_POSITION=0" in sql
    assert "SOURCE_TLS_CIPHERSUITES=NULL" in sql
    assert "SOURCE_COMPRESSION_ALGORITHMS='zstd,uncompressed'" in sql
    options = [*CONNECTION_OPTIONS.values(), *filter(None, APPLIER_OPTIONS.values())]
    assert all(sql.count(f"{option}=") == 1 for option in options)


def test_change_source__offset_that_a_replica_cannot_ask_for__refused() -> None:
    with pytest.raises(DialectError, match="out of bounds"):
        DIALECT.change_source(replace(CHANGE, position=FilePosition("binlog.000002", 2**32)))


def test_change_source__by_gtid__no_coordinates() -> None:
    sql = DIALECT.change_source(replace(CHANGE, position=FromGtidSlavePos()))
    assert "SOURCE_AUTO_POSITION=1" in sql
    assert "SOURCE_LOG_" not in sql


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("TLS_CIPHERSUITES", "", "SOURCE_TLS_CIPHERSUITES=''"),
        ("PRIVILEGE_CHECKS_USER", "'app'@'%'", "PRIVILEGE_CHECKS_USER='app'@'%'"),
        ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE", "LOCAL", "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS=LOCAL"),
        ("REQUIRE_ROW_FORMAT", "YES", "REQUIRE_ROW_FORMAT=1"),
        ("CONNECTION_RETRY_COUNT", "86400", "SOURCE_RETRY_COUNT=86400"),
    ],
)
def test_change_source__further_setting__in_its_form(name: str, value: str, written: str) -> None:
    assert written in DIALECT.change_source(changed(**{name: value}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GTID_ONLY", "maybe"),
        ("CONNECTION_RETRY_COUNT", "-1"),
        ("COMPRESSION_ALGORITHM", "zstd', SOURCE_HOST='x"),
        ("PRIVILEGE_CHECKS_USER", "app"),
        ("REQUIRE_TABLE_PRIMARY_KEY_CHECK", "ON; DROP"),
        ("A_SETTING_OF_LATER_RELEASES", "1"),
    ],
)
def test_change_source__setting_that_cannot_be_carried_over__refused(name: str, value: str) -> None:
    with pytest.raises(DialectError):
        DIALECT.change_source(changed(**{name: value}))


def changed(**further: str) -> ChangeSource:
    """The change with other settings."""
    settings: ChannelSettings = CHANGE.settings
    return replace(CHANGE, settings=replace(settings, further={**settings.further, **further}))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (DIALECT.stop_slave("link1", Thread.IO), "STOP REPLICA IO_THREAD FOR CHANNEL 'link1'"),
        (DIALECT.start_slave(""), "START REPLICA FOR CHANNEL ''"),
        (DIALECT.reset_slave_all("o'x"), "RESET REPLICA ALL FOR CHANNEL 'o''x'"),
        (
            DIALECT.relay_events_query("link1", limit=14, skip=2),
            "SHOW RELAYLOG EVENTS LIMIT 2,14 FOR CHANNEL 'link1'",
        ),
        (DIALECT.set_global("read_only", "ON"), "SET GLOBAL super_read_only=ON"),
        (DIALECT.set_global("read_only", "OFF"), "SET GLOBAL read_only=OFF"),
    ],
)
def test_statement__text(sql: str, expected: str) -> None:
    assert sql == expected


def test_set_global__variable_that_is_no_fence__refused() -> None:
    with pytest.raises(DialectError):
        DIALECT.set_global("gtid_mode", "OFF")


def test_set_gtid_position__refused() -> None:
    with pytest.raises(DialectError, match="gtid_executed"):
        DIALECT.set_gtid_position(MariadbGtidSet(), is_strict=True)


@pytest.mark.parametrize(
    ("warning", "expected"), [("Note 3084: …", True), ("Note 1760: …", True), ("Warning 1287: …", False)]
)
def test_expected_note__nothing_was_to_do(warning: str, *, expected: bool) -> None:
    assert DIALECT.is_expected_note(warning) is expected
