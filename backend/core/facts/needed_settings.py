"""Every setting with a needed value: why, the statement that sets it, and what keeps it from being set now.

The check of a cluster and the guided registration are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass

DAY_S = 86_400
_RESTART = "It takes effect with a restart. Restart one node after the other, and wait until each is Synced."


@dataclass(frozen=True, slots=True)
class NeededSetting:
    """A variable and its needed value; without `is_required` Hawser works, and `why` says with which loss.

    `obstacle`: why it cannot take effect now, as a sentence; empty where the statement is enough.
    """

    variable: str
    value: str
    why: str
    is_required: bool = True
    config: str = ""
    obstacle: str = ""

    @property
    def statement(self) -> str:
        """The statement that sets it on a running server; empty where only a restart does."""
        return "" if self.obstacle == _RESTART else f"SET GLOBAL {self.variable} = {self.value};"

    @property
    def line(self) -> str:
        """The line of the configuration file that keeps it."""
        return self.config or f"{self.variable} = {self.value}"

    def is_met(self, value: str) -> bool:
        """Whether a server's value is as needed."""
        wanted = self.value.upper()
        return value.upper() in (wanted, {"ON": "1", "OFF": "0"}.get(wanted, wanted))


NEEDED = (
    NeededSetting(
        *("log_bin", "ON", "It writes no binary log, so no channel can replicate from it."),
        config="log_bin",
        obstacle=_RESTART,
    ),
    NeededSetting(
        *("log_slave_updates", "ON"),
        "Its log lacks the writes of other nodes, and what its channels apply stays on it alone.",
        obstacle=_RESTART,
    ),
    NeededSetting(
        *("binlog_format", "ROW", "Statements may have another effect on the other side."),
        obstacle="Sessions that are open keep the old format until they connect again.",
    ),
    NeededSetting(
        *("wsrep_on", "ON", "What is written on the node stays on it alone."),
        obstacle=_RESTART,
    ),
    NeededSetting(
        *("repl.commit_order", "3"),
        "Its log may order transactions differently than its peers' logs, so a position in one does not apply to "
        "another.",
        config='wsrep_provider_options = "repl.commit_order=3"',
        obstacle=_RESTART,
    ),
    NeededSetting(
        *("binlog_row_image", "FULL"),
        "Row sizes do not compare with those of another log, and orphaned transactions cannot be replayed or undone.",
        is_required=False,
        obstacle="Sessions that are open keep the old value until they connect again.",
    ),
    NeededSetting(
        *("sync_binlog", "1", "A server that crashes may lose the end of its binary log."),
        is_required=False,
    ),
    NeededSetting(
        *("innodb_flush_log_at_trx_commit", "1", "A server that crashes may lose transactions that it acknowledged."),
        is_required=False,
    ),
    NeededSetting(
        *("relay_log_purge", "ON", "Relay logs fill the disk."),
        is_required=False,
    ),
    NeededSetting(
        *("wsrep_restart_slave", "OFF"),
        "After an expulsion the node starts its channel automatically and may apply its last transaction again.",
        is_required=False,
    ),
)
"""In the order shown."""
