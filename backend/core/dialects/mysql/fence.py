"""The variables that keep a side from being written.

`read_only` lets accounts with CONNECTION_ADMIN write, so the fence is `super_read_only`, which stops them too (1290)
and sets `read_only`; `read_only=OFF` clears both (observed on MySQL 9.7.4).
"""

from __future__ import annotations

from backend.core.dialects.base import DialectError

_SETTABLE = {
    ("read_only", "ON"): "SET GLOBAL super_read_only=ON",
    ("read_only", "OFF"): "SET GLOBAL read_only=OFF",
    ("wsrep_reject_queries", "ALL"): "SET GLOBAL wsrep_reject_queries=ALL",
    ("wsrep_reject_queries", "NONE"): "SET GLOBAL wsrep_reject_queries=NONE",
    ("rpl_semi_sync_master_enabled", "ON"): "SET GLOBAL rpl_semi_sync_source_enabled=ON",
    ("rpl_semi_sync_master_enabled", "OFF"): "SET GLOBAL rpl_semi_sync_source_enabled=OFF",
}


class MysqlFence:
    """Statements that fence and open a node; `read_only` means the fence, as the facts mean it."""

    semi_sync_privilege = "SYSTEM_VARIABLES_ADMIN"
    """What SET GLOBAL of the semi-synchronous wait needs."""

    def set_global(self, variable: str, value: str) -> str:
        """Set one of these variables; DialectError for any other variable or value."""
        try:
            return _SETTABLE[variable, value]
        except KeyError as problem:
            raise DialectError(f"a run may not set {variable}={value}") from problem
