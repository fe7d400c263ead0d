"""All settings, one row each; `docs/reference/server-settings.md` is written from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backend.core.server_settings import applying, binary_log, galera, semi_sync, server
from backend.core.server_settings.judgements import RESTART, MustBe, Setting

SUBJECTS: Mapping[str, tuple[Setting, ...]] = {
    "Binary log": binary_log.ROWS,
    "Applying": applying.ROWS,
    "Galera": galera.ROWS,
    "Semi-synchronous replication": semi_sync.ROWS,
    "GTIDs, identity, fence and others": server.ROWS,
}
TABLE: Mapping[str, Setting] = {row.name: row for rows in SUBJECTS.values() for row in rows}
JUDGED = tuple(row for row in TABLE.values() if row.is_judged)


@dataclass(frozen=True, slots=True)
class NeededSetting:
    """A setting with the value that it needs; without `is_required` Hawser works, and `why` says with which loss."""

    row: Setting
    needed: MustBe

    @property
    def variable(self) -> str:
        """Its name."""
        return self.row.name

    @property
    def is_required(self) -> bool:
        """Whether plans are refused without it."""
        return self.needed.refuses

    @property
    def statement(self) -> str:
        """The statement that sets it on a running server; empty where only a restart does."""
        shown = self.needed.value or "''"
        return "" if self.needed.obstacle == RESTART else f"SET GLOBAL {self.variable} = {shown};"

    @property
    def line(self) -> str:
        """The line of the configuration file that keeps it."""
        return self.needed.config or f"{self.variable} = {self.needed.value}"


NEEDED = tuple(NeededSetting(row, one) for row in JUDGED for one in row.needs)
"""Settings that need a value, in the order shown."""
REFUSING_CODES = tuple(
    dict.fromkeys(
        code
        for one in NEEDED
        if one.is_required and not one.needed.told_by
        for code in (one.needed.unknown, one.needed.code)
    )
)
"""Codes of the findings for which a plan takes another node."""
MUST_HAVE_A_ROW = re.compile(
    r"(binlog|log|relay_log|slave|replica|replicate|replication|rpl|source|master|gtid|wsrep|sql_log|sync|init)_.*"
    r"|max_.*packet|max_(binlog|relay).*|sql_(slave|replica)_skip_counter|relay_log|.*read_only|event_scheduler"
    r"|skip_(slave|replica)_start|report_.*|expire_logs_days|encrypt_binlog|innodb_flush_log_at_.*"
)
"""Names of variables that can change what is written, logged, sent, applied, acknowledged or skipped."""
_ELSEWHERE = re.compile(r"wsrep_provider_(?!options)\w+")
"""Options of the provider as variables of its plugin: advice.options judges them."""


def needs_a_row(name: str) -> bool:
    """Whether a server's variable of this name must be in the table."""
    return MUST_HAVE_A_ROW.fullmatch(name) is not None and _ELSEWHERE.fullmatch(name) is None
