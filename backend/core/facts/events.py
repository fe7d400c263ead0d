"""Events of the event scheduler as a node has them, and whether it runs them.

An event runs on the one node where it is ENABLED: the others of its cluster, and the other side, have it as
SLAVESIDE_DISABLED with that node's server_id as originator, also where it was DISABLED there (measured,
docs/evidence/measured-facts.md).
"""

from __future__ import annotations

from backend.core.ports import NodeError, NodeReader
from backend.core.topology import NodeEvent, NodeFacts

EVENTS_SQL = "SELECT db, name, definer, status, originator FROM mysql.event ORDER BY db, name"
"""All events, to an account that may read it; information_schema.EVENTS leaves out schemas without a word."""
ENABLED, DISABLED, ELSEWHERE = "ENABLED", "DISABLED", "SLAVESIDE_DISABLED"
EVENTS_GRANT = "Grant SELECT ON `mysql`.`event` to the monitor account"
_NEVER_RUNS = ("OFF", "DISABLED")


def read_events(reader: NodeReader) -> tuple[NodeEvent, ...] | None:
    """All events of a node, None where it refuses to show them; raises NodeError where it does not answer."""
    try:
        rows = reader.query(EVENTS_SQL)
    except NodeError as error:
        if error.code == 0:
            raise
        return None
    return tuple(
        NodeEvent(
            str(row["db"]), str(row["name"]), str(row["definer"]), str(row["status"]), int(str(row["originator"]))
        )
        for row in rows
    )


def may_run_events(node: NodeFacts) -> bool:
    """Whether the node's event scheduler runs, or is not known not to."""
    return (node.variable("event_scheduler") or "").upper() not in _NEVER_RUNS


def takes_events(node: NodeFacts) -> bool:
    """Whether it is known to take statements on events: DISABLED at its start, it refuses each (1577, measured)."""
    return (node.variable("event_scheduler") or "DISABLED").upper() != "DISABLED"


def runs_events(node: NodeFacts) -> bool:
    """Whether it is known to run."""
    return (node.variable("event_scheduler") or "").upper() == "ON"


def event_to_json(event: NodeEvent) -> list[object]:
    """As plain data."""
    return [event.schema, event.name, event.definer, event.status, event.originator]


def event_from_json(data: list[object]) -> NodeEvent:
    """Inverse of `event_to_json`."""
    schema, name, definer, status, originator = data
    return NodeEvent(str(schema), str(name), str(definer), str(status), int(str(originator)))
