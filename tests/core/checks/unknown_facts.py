"""Facts that may be unknown, one by one."""

from __future__ import annotations

from dataclasses import dataclass

from tests.core.builders.link_facts import LinkChange


@dataclass(frozen=True, slots=True)
class Unknown:
    """One fact taken away."""

    name: str
    change: LinkChange


LOG_SETTINGS = (
    "log_bin_compress",
    "log_bin_compress_min_len",
    "binlog_annotate_row_events",
    "replicate_annotate_row_events",
)
OPTIONAL = (
    "flavor",
    "version",
    "server_id",
    "wsrep",
    "channels",
    "binlog",
    "clock_offset_s",
    "uptime_s",
    "probe_ms",
)
