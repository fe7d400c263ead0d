"""The variables that keep a side from being written."""

from __future__ import annotations

from backend.core.dialects.base import DialectError

_SETTABLE = {"read_only": ("ON", "OFF"), "wsrep_reject_queries": ("ALL", "NONE")}
"""The variables that a fence may set, with the values allowed."""


class MariadbFence:
    """Statements that fence and open a node."""

    def set_global(self, variable: str, value: str) -> str:
        """Set one of a fence's variables; DialectError for any other variable or value."""
        if value not in _SETTABLE.get(variable, ()):
            raise DialectError(f"a run may not set {variable}={value}")
        return f"SET GLOBAL {variable}={value}"
