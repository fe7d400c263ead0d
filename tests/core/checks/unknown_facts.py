"""Facts that may be unknown, one by one."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.server_settings import applying
from backend.core.server_settings.judgements import MustBe, NotBelow
from backend.core.server_settings.table import JUDGED
from tests.core.builders.link_facts import LinkChange


@dataclass(frozen=True, slots=True)
class Unknown:
    """One fact taken away."""

    name: str
    change: LinkChange


REFUSING = tuple(
    row.name
    for row in JUDGED
    if row.exists("mariadb", (10, 11))
    and row.name != "repl.commit_order"
    and any(isinstance(one, NotBelow) or (isinstance(one, MustBe) and one.refuses) for one in row.judgements)
    and not any(one.told_by for one in row.needs)
)
"""Settings that a plan needs to know of each node that it uses."""
KNOWN_TO_A_PLAN = ("repl.commit_order", "wsrep_on", "binlog_row_image", "rpl_semi_sync_master_enabled")
"""Settings that a plan needs to know for a check of its own."""
TOLD = (
    *(row.name for row in JUDGED if row.name not in (*REFUSING, *KNOWN_TO_A_PLAN) and row not in applying.FILTERS),
    "time_zone",
)
"""Settings that are told where they differ or cost something, and refuse nothing."""
SEMI_SYNC_STATUS = tuple(f"rpl_semi_sync_master_{name}" for name in ("clients", "status", "wait_sessions"))
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
