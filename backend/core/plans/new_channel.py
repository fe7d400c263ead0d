"""The settings of a channel that does not exist yet: the server's defaults, and TLS as chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.checks.context import CheckContext, Move
from backend.core.dialects.galera import FILTERS
from backend.core.facts.channel_filters import filter_column
from backend.core.topology import ChannelFacts

TLS_MODES = ("off", "on", "verify")
"""Without TLS, with TLS, and with the source's certificate checked against `channel_ca` on the replica's disk."""
CONNECT_RETRY_S = 10
HEARTBEAT_PERIOD_S = "5.000"
"""A silent source is noticed within seconds; the server's own default is half of slave_net_timeout, 30 s."""


def new_channel(ctx: CheckContext, move: Move, options: Mapping[str, Any]) -> ChannelFacts:
    """The channel as it is to be created: by file and position, from a source and position that are not set yet."""
    return ChannelFacts(
        name=ctx.link.channel_name,
        source_host=move.source.node.host,
        source_port=move.source.node.port,
        source_user="",
        io_running="No",
        sql_running="No",
        read_file="",
        read_offset=0,
        relay_file="",
        relay_offset=0,
        exec_file="",
        exec_offset=0,
        lag_s=None,
        io_errno=0,
        io_error="",
        sql_errno=0,
        sql_error="",
        using_gtid="No",
        ignore_server_ids=(),
        options=_options(options),
    )


def _options(options: Mapping[str, Any]) -> dict[str, str]:
    mode = str(options.get("channel_tls", "off"))
    return {
        "Using_Gtid": "No",
        "Replicate_Do_Domain_Ids": "",
        "Replicate_Ignore_Domain_Ids": "",
        "Connect_Retry": str(CONNECT_RETRY_S),
        "Slave_heartbeat_period": HEARTBEAT_PERIOD_S,
        "SQL_Delay": "0",
        "Master_SSL_Allowed": "No" if mode == "off" else "Yes",
        "Master_SSL_CA_File": str(options.get("channel_ca", "")),
        "Master_SSL_CA_Path": "",
        "Master_SSL_Cert": str(options.get("channel_cert", "")),
        "Master_SSL_Cipher": "",
        "Master_SSL_Key": str(options.get("channel_key", "")),
        "Master_SSL_Verify_Server_Cert": "Yes" if mode == "verify" else "No",
        "Master_SSL_Crl": "",
        "Master_SSL_Crlpath": "",
        **{filter_column(name): "" for name in FILTERS},
    }
