"""Which events run on one side, and where they are to run once the other side is active."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.core.dialects.base import DialectError
from backend.core.dialects.event_statements import DISABLE_ON_SLAVE, ENABLE, alter_event
from backend.core.facts.events import DISABLED, ELSEWHERE, ENABLED, may_run_events, runs_events, takes_events
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts, EventsByNode, NodeEvent, NodeFacts


@dataclass(frozen=True, slots=True)
class EventMove:
    """An event that runs on `runs_on` of the side that is left; `target` is the node that is to run it, None: none.

    `statuses` are those of now, by the names of the nodes that were read.
    """

    event: NodeEvent
    runs_on: tuple[NodeFacts, ...]
    target: NodeFacts | None
    statuses: tuple[tuple[str, str], ...]

    @property
    def now(self) -> str:
        """The statuses for a sentence."""
        nodes: dict[str, list[str]] = {}
        for name, status in self.statuses:
            nodes.setdefault(status, []).append(name)
        return "; ".join(f"{status} on {', '.join(names)}" for status, names in nodes.items())

    @property
    def disable(self) -> str:
        """The statement on the side that is left; raises DialectError."""
        return self._statement(DISABLE_ON_SLAVE)

    @property
    def enable(self) -> str:
        """The statement on the node that is to run it, or the undo of the other one; raises DialectError."""
        return self._statement(ENABLE)

    def to_json(self) -> dict[str, object]:
        """For the facts of a finding: what is on each node now, and what will be."""
        after = {name: ELSEWHERE for name, _ in self.statuses}
        if self.target is not None:
            after[self.target.node.name] = ENABLED
        return {
            "event": self.event.shown,
            "definer": self.event.definer,
            "now": dict(self.statuses),
            "after": after,
            "statement": self.enable,
        }

    def _statement(self, change: str) -> str:
        return alter_event(self.event.schema, self.event.name, self.event.definer, change)


def running_events(side: ClusterFacts, events: EventsByNode) -> dict[tuple[str, str], list[NodeFacts]]:
    """The events that are ENABLED on nodes of the side whose scheduler runs or may run, with these nodes."""
    found: dict[tuple[str, str], list[NodeFacts]] = {}
    for node in side.nodes:
        for event in events.get(node.node.id, ()) if may_run_events(node) else ():
            if event.status == ENABLED:
                found.setdefault(event.key, []).append(node)
    return found


def event_moves(
    old: ClusterFacts, new: ClusterFacts, events: EventsByNode, preferred: NodeFacts
) -> tuple[EventMove, ...]:
    """What runs on `old`, each with the node of `new` to run it: `preferred`, or one whose scheduler runs.

    A node that refuses statements on events is none of them.
    """
    nodes = (*old.nodes, *new.nodes)
    moves = []
    for key, runs_on in sorted(running_events(old, events).items()):
        of_first = next(event for event in events[runs_on[0].node.id] if event.key == key)
        candidates = [preferred, *(node for node in new.nodes if node.node.id != preferred.node.id and node.is_up)]
        having = [node for node in candidates if _status(events, node, key) is not None and takes_events(node)]
        target = next((node for node in having if runs_events(node)), having[0] if having else None)
        moves.append(EventMove(of_first, tuple(runs_on), target, _statuses(events, nodes, key)))
    return tuple(moves)


def run_nowhere(active: ClusterFacts, standby: ClusterFacts, events: EventsByNode) -> tuple[NodeEvent, ...]:
    """Events that no node of the active side may run or was told not to run: only the other side's were changed.

    Nothing is said unless every node of the active side that is up was read. Where a node of the standby has it
    DISABLED, that is why.
    """
    up = [node for node in active.nodes if node.is_up]
    if not up or any(node.node.id not in events for node in up):
        return ()
    if not any(may_run_events(node) for node in (*up, *(node for node in standby.nodes if node.is_up))):
        return ()
    decided = {e.key for node in up for e in events[node.node.id] if e.status != ELSEWHERE}
    decided |= {e.key for node in standby.nodes for e in events.get(node.node.id, ()) if e.status == DISABLED}
    own = set(active.server_ids)
    lacking = {e.key: e for e in events[up[0].node.id] if e.key not in decided and e.originator not in own}
    return tuple(lacking[key] for key in sorted(lacking))


def _status(events: EventsByNode, node: NodeFacts, key: tuple[str, str]) -> str | None:
    return next((event.status for event in events.get(node.node.id, ()) if event.key == key), None)


def _statuses(events: EventsByNode, nodes: Iterable[NodeFacts], key: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    seen = ((node.node.name, _status(events, node, key)) for node in nodes)
    return tuple((name, status) for name, status in seen if status is not None)


def names_of(events: Sequence[NodeEvent]) -> str:
    """For a sentence."""
    return ", ".join(event.shown for event in events)


def enabling(events: Sequence[NodeEvent], node: NodeFacts) -> str:
    """What to do about events that run on no node of the active side."""
    statements = "; ".join(map(shown_enable, events))
    return (
        f"Run on {node.node.name}, each for an event that is to run: {statements}; "
        "for one that is not, ALTER EVENT … DISABLE there."
    )


def shown_enable(event: NodeEvent) -> str:
    """The statement that enables it, for people."""
    try:
        return alter_event(event.schema, event.name, event.definer, ENABLE)
    except DialectError:
        return f"ALTER EVENT … ENABLE of {event.shown}, with its definer"


def running_on_standby(running: Mapping[tuple[str, str], Sequence[NodeFacts]]) -> Finding:
    """Of events that run on the standby side: made there, or left there by a change of the active side."""
    nodes = sorted({node.node.name for on in running.values() for node in on})
    names = ", ".join(f"{schema}.{name}" for schema, name in sorted(running))
    return Finding(
        "event_scheduler_on",
        Severity.WARNING,
        f"Events run on the standby side, on {', '.join(nodes)}: {names}. They write through the fence if their "
        "definers may.",
        f"Run SET GLOBAL event_scheduler=OFF on {', '.join(nodes)}, or make sure that they may run there. To move one, "
        "enable it on a node of the active side: replication disables it here.",
        {"nodes": nodes},
    )
