"""Every kind of plan, in the order in which the API and the pages list them."""

from __future__ import annotations

from typing import Final

from backend.core.plans import (
    accept_state_uuid,
    configure,
    create_channels,
    failover,
    fence_returned_side,
    fence_standby,
    node_maintenance,
    relocate,
    remove_channels,
    remove_stray_channel,
    reprotect,
    rotate_passwords,
    start_channel,
    switchover,
)
from backend.core.plans.kind import Operation, PlanKind

PLAN_KINDS: Final[dict[str, PlanKind]] = {
    one.kind: one
    for one in (
        relocate.PLAN_KIND,
        start_channel.PLAN_KIND,
        create_channels.PLAN_KIND,
        remove_stray_channel.PLAN_KIND,
        remove_channels.PLAN_KIND,
        switchover.PLAN_KIND,
        failover.PLAN_KIND,
        reprotect.PLAN_KIND,
        switchover.FAILBACK_KIND,
        accept_state_uuid.PLAN_KIND,
        configure.PLAN_KIND,
        node_maintenance.PLAN_KIND,
        rotate_passwords.PLAN_KIND,
        fence_standby.PLAN_KIND,
    )
}
REHEARSED: Final = tuple(kind for kind, one in PLAN_KINDS.items() if one.is_rehearsed)
OPERATIONS: Final[dict[str, Operation]] = {**PLAN_KINDS, fence_returned_side.KIND: fence_returned_side.OPERATION}
"""What runs may be of: the kinds of plans, and what the console plans by itself."""
