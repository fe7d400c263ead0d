"""What a node reports about itself: status, settings, channels and Galera's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.core.dialects.base import ChannelSettings, ChannelTls, DialectError, Row
from backend.core.dialects.galera import GaleraFacts
from backend.core.dialects.mariadb.names import OPTIONS
from backend.core.dialects.rows import ids_of, integer_in, text_in
from backend.core.dialects.tested_versions import hidden_settings
from backend.core.topology import ChannelFacts


class MariadbFacts(GaleraFacts):
    """Queries and their results; every value is the server's own text."""

    def channels_query(self) -> str:
        """Every replication connection of the server, running or not."""
        return "SHOW ALL SLAVES STATUS"

    def parse_variables(self, rows: Sequence[Row]) -> dict[str, str]:
        """As `parse_pairs`; of the provider's options, which are one long text, `PROVIDER_OPTIONS` alone.

        A setting that this release cannot tell is empty: a check asks for it (`filters_hidden`).
        """
        found = self.parse_pairs(rows)
        found |= dict.fromkeys(hidden_settings(found.get("version")), "")
        return found | self.parse_provider_options(found.pop("wsrep_provider_options", ""))

    def channel_settings_query(self) -> str | None:
        """None: the status of a channel has all of its settings."""
        return None

    def global_filters_query(self) -> str | None:
        """None: the replication filters are variables."""
        return None

    def parse_global_filters(self, rows: Sequence[Row]) -> dict[str, str]:
        """Nothing to add to the variables."""
        return {}

    def parse_channels(self, rows: Sequence[Row], settings: Sequence[Row] = ()) -> tuple[ChannelFacts, ...]:
        """All connections of SHOW ALL SLAVES STATUS."""
        return tuple(_channel(row) for row in rows)

    def settings_of(self, channel: ChannelFacts) -> ChannelSettings:
        """The channel's settings that a move must carry over; DialectError where one is unreadable."""
        seen = channel.options
        try:
            return ChannelSettings(
                connect_retry_s=int(seen["Connect_Retry"]),
                heartbeat_period_s=seen["Slave_heartbeat_period"],
                delay_s=int(seen["SQL_Delay"]),
                tls=_tls(seen),
                do_domain_ids=ids_of(seen["Replicate_Do_Domain_Ids"]),
                ignore_domain_ids=ids_of(seen["Replicate_Ignore_Domain_Ids"]),
            )
        except (KeyError, ValueError) as problem:
            raise DialectError(f"a setting of channel {channel.name!r} cannot be read: {problem}") from problem


def _channel(row: Row) -> ChannelFacts:
    lag = text_in(row, "Seconds_Behind_Master")
    return ChannelFacts(
        name=text_in(row, "Connection_name"),
        source_host=text_in(row, "Master_Host"),
        source_port=integer_in(row, "Master_Port"),
        source_user=text_in(row, "Master_User"),
        io_running=text_in(row, "Slave_IO_Running"),
        sql_running=text_in(row, "Slave_SQL_Running"),
        read_file=text_in(row, "Master_Log_File"),
        read_offset=integer_in(row, "Read_Master_Log_Pos"),
        relay_file=text_in(row, "Relay_Log_File"),
        relay_offset=integer_in(row, "Relay_Log_Pos"),
        exec_file=text_in(row, "Relay_Master_Log_File"),
        exec_offset=integer_in(row, "Exec_Master_Log_Pos"),
        lag_s=int(lag) if lag.isdigit() else None,
        io_errno=integer_in(row, "Last_IO_Errno"),
        io_error=text_in(row, "Last_IO_Error"),
        sql_errno=integer_in(row, "Last_SQL_Errno"),
        sql_error=text_in(row, "Last_SQL_Error"),
        using_gtid=text_in(row, "Using_Gtid"),
        ignore_server_ids=ids_of(text_in(row, "Replicate_Ignore_Server_Ids")),
        options={name: text_in(row, name) for name in OPTIONS if name in row},
        sql_state=text_in(row, "Slave_SQL_Running_State"),
        source_server_id=integer_in(row, "Master_Server_Id") or None,
    )


def _tls(seen: Mapping[str, str]) -> ChannelTls:
    return ChannelTls(
        enabled=seen["Master_SSL_Allowed"] == "Yes",
        ca=seen["Master_SSL_CA_File"],
        ca_path=seen["Master_SSL_CA_Path"],
        cert=seen["Master_SSL_Cert"],
        key=seen["Master_SSL_Key"],
        cipher=seen["Master_SSL_Cipher"],
        crl=seen["Master_SSL_Crl"],
        crl_path=seen["Master_SSL_Crlpath"],
        verify_server_cert=seen["Master_SSL_Verify_Server_Cert"] == "Yes",
    )
