"""Rows as 10.11.19 gives them become facts; a settings column that is missing is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from backend.core.dialects import DialectError
from backend.core.dialects.base import ChannelTls
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.facts.serialization import channel_from_json, channel_to_json
from backend.core.positions import FilePosition
from backend.core.topology import WriteSetCounters

DIALECT = MariadbDialect()
ROW: dict[str, object] = {
    "Connection_name": "hawser",
    "Master_Host": "127.0.1.1",
    "Master_User": "repl",
    "Master_Port": 3306,
    "Connect_Retry": 5,
    "Master_Log_File": "binlog.000002",
    "Read_Master_Log_Pos": 900,
    "Relay_Log_File": "relay.000003",
    "Relay_Log_Pos": 555,
    "Relay_Master_Log_File": "binlog.000002",
    "Slave_IO_Running": "Yes",
    "Slave_SQL_Running": "Yes",
    "Exec_Master_Log_Pos": 800,
    "Master_SSL_Allowed": "Yes",
    "Master_SSL_CA_File": "/ca.pem",
    "Master_SSL_CA_Path": "",
    "Master_SSL_Cert": "",
    "Master_SSL_Cipher": "",
    "Master_SSL_Key": "",
    "Seconds_Behind_Master": None,
    "Master_SSL_Verify_Server_Cert": "No",
    "Last_IO_Errno": 0,
    "Last_IO_Error": "",
    "Last_SQL_Errno": 0,
    "Last_SQL_Error": "",
    "Replicate_Ignore_Server_Ids": "21, 22",
    "Master_Server_Id": 11,
    "Master_SSL_Crl": "",
    "Master_SSL_Crlpath": "",
    "Using_Gtid": "No",
    "Replicate_Do_Domain_Ids": "",
    "Replicate_Ignore_Domain_Ids": "",
    "SQL_Delay": 0,
    "Slave_heartbeat_period": "2.000",
}


def test_parse_channels__row__facts_with_settings() -> None:
    (channel,) = DIALECT.parse_channels([ROW])

    assert channel.ignore_server_ids == (21, 22)
    assert channel.lag_s is None
    assert channel.exec_position == FilePosition("binlog.000002", 800)
    settings = DIALECT.settings_of(channel)
    assert (settings.connect_retry_s, settings.heartbeat_period_s) == (5, "2.000")
    assert settings.tls == ChannelTls(enabled=True, ca="/ca.pem")


def test_settings_of__missing_column__refused() -> None:
    (channel,) = DIALECT.parse_channels([ROW])
    options = {name: value for name, value in channel.options.items() if name != "SQL_Delay"}
    with pytest.raises(DialectError, match="SQL_Delay"):
        DIALECT.settings_of(replace(channel, options=options))


def test_channel_json__round_trip__equal() -> None:
    (channel,) = DIALECT.parse_channels([ROW])
    assert channel_from_json(json.loads(json.dumps(channel_to_json(channel)))) == channel


def test_parse_wsrep__counter_missing__refused_not_zero() -> None:
    status = {"wsrep_cluster_status": "Primary", "wsrep_local_state": "4", "wsrep_cluster_size": "3"}
    with pytest.raises(DialectError):
        DIALECT.parse_wsrep(status)


def test_parse_wsrep__no_provider__unknown() -> None:
    assert DIALECT.parse_wsrep({"wsrep_cluster_status": "Disconnected"}) is None


def test_parse_binlog__no_binlog__unknown() -> None:
    assert DIALECT.parse_binlog([], []) is None


@pytest.mark.parametrize(
    ("options", "order"),
    [
        ("pc.checksum = no; repl.causal_read_timeout = PT30S; repl.commit_order = 3; repl.key_format = FLAT8; ", "3"),
        ("repl.commit_order=0;", "0"),
        ("repl.key_format = FLAT8", None),
        (None, None),
    ],
)
def test_parse_variables__provider_options__the_known_ones_alone_are_kept(
    options: str | None, order: str | None
) -> None:
    rows = [{"Variable_name": "wsrep_on", "Value": "ON"}]
    if options is not None:
        rows.append({"Variable_name": "wsrep_provider_options", "Value": options})
    expected = {"wsrep_on": "ON"} | ({} if order is None else {"repl.commit_order": order})
    assert MariadbDialect().parse_variables(rows) == expected


def test_parse_wsrep__counters_and_gcache__none_where_one_is_missing_or_nothing_is_cached() -> None:
    status = {"wsrep_cluster_status": "Primary", "wsrep_local_state": "4", "wsrep_last_committed": "9"}
    status |= {"wsrep_cluster_size": "3", "wsrep_cluster_conf_id": "1", "wsrep_local_cached_downto": "0"}
    counters = {f"wsrep_{name}": "7" for name in ("replicated", "replicated_bytes", "received", "received_bytes")}
    found = MariadbDialect().parse_wsrep(status | counters | {"wsrep_local_cached_downto": "5"})
    assert found is not None
    assert (found.write_sets, found.cached_downto) == (WriteSetCounters(7, 7, 7, 7), 5)
    bare = MariadbDialect().parse_wsrep(status | {"wsrep_replicated": "7"})
    assert bare is not None
    assert (bare.write_sets, bare.cached_downto) == (None, None)


def test_parse_variables__gcache_and_segment__as_the_provider_writes_them() -> None:
    options = "gcache.size = 64M; gmcast.segment = 1; evs.user_send_window = 2; gcache.name = x"
    rows = [{"Variable_name": "wsrep_provider_options", "Value": options}]
    expected = {"gcache.size": "64M", "gmcast.segment": "1", "evs.user_send_window": "2"}
    assert MariadbDialect().parse_variables(rows) == expected
