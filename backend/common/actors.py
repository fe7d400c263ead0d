"""Names the console acts under by itself; no user may bear one."""

from __future__ import annotations

AUTOMATION = "automation"
SCHEDULE = "schedule"
RESERVED = frozenset({AUTOMATION, SCHEDULE})
