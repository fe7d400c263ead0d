"""Answers of MySQL 9.7.4 become facts; a setting that is missing is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.dialects import DialectError, detect_flavor
from backend.core.dialects.base import ChannelTls
from backend.core.dialects.galera import FILTERS
from backend.core.dialects.mysql import MysqlDialect
from backend.core.positions import FilePosition
from tests.core.dialects.mysql_channel import DIALECT, SERVER, channel
from tests.core.dialects.recorded import rows


def test_parse_channels__recorded__facts_with_settings() -> None:
    found = channel()
    assert (found.name, found.source_address, found.source_server_id) == ("link1", ("127.0.0.1", 3391), 11)
    assert (found.io_running, found.sql_running, found.using_gtid) == ("Yes", "Yes", "Auto_Position")
    assert found.exec_position == FilePosition("binlog.000002", 807)
    assert found.retrieved_gtids.endswith(":20")
    settings = DIALECT.settings_of(found)
    assert (settings.connect_retry_s, settings.heartbeat_period_s, settings.delay_s) == (60, "30.000", 5)
    assert settings.tls == ChannelTls(enabled=True)
    assert settings.further["COMPRESSION_ALGORITHM"] == "zstd,uncompressed"
    assert settings.further["TLS_CIPHERSUITES"] == "NULL"


@pytest.mark.parametrize("name", ["DESIRED_DELAY", "COMPRESSION_ALGORITHM", "SSL_CA_FILE"])
def test_settings_of__missing_setting__refused(name: str) -> None:
    found = channel()
    options = {key: value for key, value in found.options.items() if key != name}
    with pytest.raises(DialectError, match=name):
        DIALECT.settings_of(replace(found, options=options))


def test_settings_of__account_may_not_read_them__refused() -> None:
    (found,) = DIALECT.parse_channels(rows(SERVER, "replica_status"))
    with pytest.raises(DialectError, match="cannot be read"):
        DIALECT.settings_of(found)


def test_parse_variables__recorded__under_the_names_that_checks_know() -> None:
    found = DIALECT.parse_variables(rows(SERVER, "variables"))
    assert detect_flavor(found["version"], found["version_comment"]) == "mysql"
    assert (found["gtid_mode"], found["slave_parallel_threads"], found["encrypt_binlog"]) == ("ON", "4", "OFF")
    assert (found["log_slave_updates"], found["slave_exec_mode"]) == ("ON", "STRICT")


def test_parse_global_filters__recorded__none_is_set() -> None:
    assert DIALECT.parse_global_filters(rows(SERVER, "global_filters")) == dict.fromkeys(FILTERS, "")


def test_parse_global_filters__one_set__under_the_name_that_checks_know() -> None:
    found = DIALECT.parse_global_filters([{"FILTER_NAME": "REPLICATE_DO_DB", "FILTER_RULE": "bank,shop"}])
    assert found == dict.fromkeys(FILTERS, "") | {"replicate_do_db": "bank,shop"}


@pytest.mark.parametrize(("read_only", "super_read_only", "fenced"), [("ON", "OFF", "OFF"), ("ON", "ON", "ON")])
def test_parse_variables__read_only_alone__is_no_fence(read_only: str, super_read_only: str, fenced: str) -> None:
    shown = {"read_only": read_only, "super_read_only": super_read_only}
    found = DIALECT.parse_variables([{"Variable_name": name, "Value": value} for name, value in shown.items()])
    assert found["read_only"] == fenced


def test_parse_binlog__recorded__end_and_files() -> None:
    found = DIALECT.parse_binlog(rows(SERVER, "binlog_end"), rows(SERVER, "binlog_files"))
    assert found is not None
    assert found.end == FilePosition("binlog.000002", 525)
    assert [name for name, _ in found.files] == ["binlog.000001", "binlog.000002"]


def test_parse_wsrep__server_without_galera__unknown() -> None:
    assert DIALECT.parse_wsrep(DIALECT.parse_pairs(rows(SERVER, "status"))) is None


@pytest.mark.parametrize(("series", "word"), [((8, 0), "MASTER"), ((8, 2), "BINARY LOG"), ((9, 7), "BINARY LOG")])
def test_binlog_end_query__word_of_the_series(series: tuple[int, int], word: str) -> None:
    assert MysqlDialect(series).binlog_end_query() == f"SHOW {word} STATUS"
