"""Writes on the returned side after its orphans were read: the list of orphans is incomplete then."""

from __future__ import annotations

from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import log_of
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.orphans.new_writes import orphans_since
from backend.core.plan import Step
from backend.core.plural import pick, pluralize
from backend.core.positions import FilePosition
from backend.core.steps.base import StepContext


def new_writes(ctx: StepContext, step: Step) -> str:
    """Why the list is no longer complete; empty where it is complete."""
    node_id = step.params["scan_node_id"]
    facts = ctx.gateway.observe_node(node_id)
    reader = ctx.gateway.reader(node_id)
    reader.query(SYNC_SQL)
    cursor = Cursor(log_of(reader, facts))
    found = orphans_since(cursor, FilePosition.parse(step.params["scan_end"]), step.params["survivor_ids"])
    if not found:
        return ""
    return (
        f"{pluralize(len(found), 'transaction')} {pick(len(found), 'was', 'were')} written on the returned side since "
        f"its orphans were read, the first at {found[0].begin_position} of {facts.node.name}; fence the side and "
        "create a new plan"
    )
