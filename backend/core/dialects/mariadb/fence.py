"""The variables that decide whether a side is written, and whether its commits wait for an acknowledgement."""

from __future__ import annotations

from backend.core.dialects.base import DialectError

_SETTABLE = {
    "read_only": ("ON", "OFF"),
    "wsrep_reject_queries": ("ALL", "NONE"),
    "rpl_semi_sync_master_enabled": ("ON", "OFF"),
}
"""The variables that a run may set, with the values allowed."""


class MariadbFence:
    """Statements that fence and open a node."""

    semi_sync_privilege = "REPLICATION MASTER ADMIN"
    """What SET GLOBAL of the semi-synchronous wait needs."""

    def set_global(self, variable: str, value: str) -> str:
        """Set one of these variables; DialectError for any other variable or value."""
        if value not in _SETTABLE.get(variable, ()):
            raise DialectError(f"a run may not set {variable}={value}")
        return f"SET GLOBAL {variable}={value}"
