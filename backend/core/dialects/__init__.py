"""Server families and eras: statement text out, rows in; one folder a family."""

from __future__ import annotations

from backend.core.dialects.base import Dialect, DialectError, EventForms, SessionForms
from backend.core.dialects.mariadb.evidence import EVENTS as MARIADB_EVENTS
from backend.core.dialects.mariadb.grants import NEEDS as MARIADB_NEEDS
from backend.core.dialects.selection import (
    VARIABLES_QUERY,
    accepted_series,
    are_rows_alike,
    detect_flavor,
    dialect_for,
    dialect_of,
    dialect_to_watch,
    flavor_of,
    needs_acceptance,
    needs_of,
    node_refusal,
    plan_refusal,
    read_only_settings,
    sessions_of,
)

__all__ = [
    "MARIADB_EVENTS",
    "MARIADB_NEEDS",
    "VARIABLES_QUERY",
    "Dialect",
    "DialectError",
    "EventForms",
    "SessionForms",
    "accepted_series",
    "are_rows_alike",
    "detect_flavor",
    "dialect_for",
    "dialect_of",
    "dialect_to_watch",
    "flavor_of",
    "needs_acceptance",
    "needs_of",
    "node_refusal",
    "plan_refusal",
    "read_only_settings",
    "sessions_of",
]
