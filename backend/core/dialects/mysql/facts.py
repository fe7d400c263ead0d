"""What a node reports about itself: status, settings, channels and, with the wsrep patch, Galera's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.core.dialects.base import ChannelSettings, ChannelTls, DialectError, Row
from backend.core.dialects.galera import FILTERS, GaleraFacts
from backend.core.dialects.mysql.names import (
    APPLIER_OPTIONS,
    CONNECTION_OPTIONS,
    NODE_OPTIONS,
    SAME_AS,
)
from backend.core.dialects.rows import ids_of, integer_in, text_in
from backend.core.topology import AUTO_POSITION, ChannelFacts

_PLUGIN_SETTINGS = ("rpl_semi_sync_master_enabled", "rpl_semi_sync_slave_enabled")
"""A server without the plugins, whose variables it then lacks, waits for no acknowledgement and gives none."""
_IN_SETTINGS = frozenset(
    {"CONNECTION_RETRY_INTERVAL", "HEARTBEAT_INTERVAL", "DESIRED_DELAY"}
    | {name for name in CONNECTION_OPTIONS if name.startswith("SSL_")}
)
"""Columns that ChannelSettings has a field for."""


class MysqlFacts(GaleraFacts):
    """Queries and their results; every value is the server's own text, `NULL` for a setting that is not set."""

    def channels_query(self) -> str:
        """Every replication channel of the server, running or not."""
        return "SHOW REPLICA STATUS"

    def log_readers_query(self) -> str | None:
        """None: what its process list shows was not measured, and unknown readers refuse where they matter."""
        return None

    def channel_settings_query(self) -> str | None:
        """The settings of every channel that its status does not show."""
        return (
            "SELECT * FROM performance_schema.replication_connection_configuration "
            "JOIN performance_schema.replication_applier_configuration USING (CHANNEL_NAME)"
        )

    def global_filters_query(self) -> str | None:
        """The filters that a channel gets when it is created; no variable has them."""
        return "SELECT FILTER_NAME, FILTER_RULE FROM performance_schema.replication_applier_global_filters"

    def parse_global_filters(self, rows: Sequence[Row]) -> dict[str, str]:
        """By the name of MariaDB's variable; a filter without a row is not set.

        The table writes several rules as SHOW REPLICA STATUS does, separated by a comma (MySQL 9.7.4).
        """
        shown = {text_in(row, "FILTER_NAME").lower(): text_in(row, "FILTER_RULE") for row in rows}
        return {name: shown.get(name, "") for name in FILTERS}

    def parse_variables(self, rows: Sequence[Row]) -> dict[str, str]:
        """`Variable_name` to `Value`, also under the names that the checks know.

        `read_only` is the fence, which here is `super_read_only`.
        """
        found = self.parse_pairs(rows)
        found |= {known: found[name] for name, known in SAME_AS.items() if name in found}
        found |= self.parse_provider_options(found.get("wsrep_provider_options", ""))
        found = dict.fromkeys(_PLUGIN_SETTINGS, "OFF") | found
        if "rpl_semi_sync_source_enabled" not in found and found["rpl_semi_sync_master_enabled"] == "ON":
            found["rpl_semi_sync_master_enabled"] = ""  # the plugin before 8.0.26: a run's statement does not name it
        return found | ({"read_only": found["super_read_only"]} if "super_read_only" in found else {})

    def parse_channels(self, rows: Sequence[Row], settings: Sequence[Row] = ()) -> tuple[ChannelFacts, ...]:
        """All channels of SHOW REPLICA STATUS with their rows of `channel_settings_query`."""
        by_name = {text_in(row, "CHANNEL_NAME"): row for row in settings}
        return tuple(_channel(row, by_name.get(text_in(row, "Channel_Name"), {})) for row in rows)

    def settings_of(self, channel: ChannelFacts) -> ChannelSettings:
        """The channel's settings that a move must carry over; DialectError where one is unreadable."""
        seen = channel.options
        try:
            return ChannelSettings(
                connect_retry_s=int(seen["CONNECTION_RETRY_INTERVAL"]),
                heartbeat_period_s=seen["HEARTBEAT_INTERVAL"],
                delay_s=int(seen["DESIRED_DELAY"]),
                tls=_tls(seen),
                further={
                    name: seen[name] for name in (*CONNECTION_OPTIONS, *APPLIER_OPTIONS) if name not in _IN_SETTINGS
                },
            )
        except (KeyError, ValueError) as problem:
            raise DialectError(f"a setting of channel {channel.name!r} cannot be read: {problem}") from problem


def _channel(row: Row, settings: Row) -> ChannelFacts:
    lag = text_in(row, "Seconds_Behind_Source")
    shown = {name: text_in(row, name) for name in NODE_OPTIONS if name in row}
    set_by_change = {
        name: _setting(settings, name) for name in (*CONNECTION_OPTIONS, *APPLIER_OPTIONS) if name in settings
    }
    return ChannelFacts(
        name=text_in(row, "Channel_Name"),
        source_host=text_in(row, "Source_Host"),
        source_port=integer_in(row, "Source_Port"),
        source_user=text_in(row, "Source_User"),
        io_running=text_in(row, "Replica_IO_Running"),
        sql_running=text_in(row, "Replica_SQL_Running"),
        read_file=text_in(row, "Source_Log_File"),
        read_offset=integer_in(row, "Read_Source_Log_Pos"),
        relay_file=text_in(row, "Relay_Log_File"),
        relay_offset=integer_in(row, "Relay_Log_Pos"),
        exec_file=text_in(row, "Relay_Source_Log_File"),
        exec_offset=integer_in(row, "Exec_Source_Log_Pos"),
        lag_s=int(lag) if lag.isdigit() else None,
        io_errno=integer_in(row, "Last_IO_Errno"),
        io_error=text_in(row, "Last_IO_Error"),
        sql_errno=integer_in(row, "Last_SQL_Errno"),
        sql_error=text_in(row, "Last_SQL_Error"),
        using_gtid=AUTO_POSITION if text_in(row, "Auto_Position") == "1" else "No",
        ignore_server_ids=ids_of(text_in(row, "Replicate_Ignore_Server_Ids")),
        options=shown | set_by_change,
        sql_state=text_in(row, "Replica_SQL_Running_State"),
        source_server_id=integer_in(row, "Source_Server_Id") or None,
        retrieved_gtids=text_in(row, "Retrieved_Gtid_Set").replace("\n", ""),
    )


def _tls(seen: Mapping[str, str]) -> ChannelTls:
    return ChannelTls(
        enabled=seen["SSL_ALLOWED"] == "YES",
        ca=seen["SSL_CA_FILE"],
        ca_path=seen["SSL_CA_PATH"],
        cert=seen["SSL_CERTIFICATE"],
        key=seen["SSL_KEY"],
        cipher=seen["SSL_CIPHER"],
        crl=seen["SSL_CRL_FILE"],
        crl_path=seen["SSL_CRL_PATH"],
        verify_server_cert=seen["SSL_VERIFY_SERVER_CERTIFICATE"] == "YES",
    )


def _setting(row: Row, name: str) -> str:
    """No cipher suites and an unset list of them are two things, so NULL is kept."""
    return "NULL" if row.get(name) is None else text_in(row, name)
