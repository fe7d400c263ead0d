"""Names the console acts under by itself; no user may bear one."""

from __future__ import annotations

AUTOMATION = "automation"
SCHEDULE = "schedule"
ANONYMOUS = "anonymous"
"""Whoever has not signed in; what he types never names an actor."""
RESERVED = frozenset({AUTOMATION, SCHEDULE, ANONYMOUS})
