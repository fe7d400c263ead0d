"""What the operator account may do, read in a session of its own."""

from __future__ import annotations

from backend.core.checks.reject_queries import PRIVILEGE, nodes_to_change
from backend.core.dialects import dialect_of
from backend.core.facts.semi_sync import semi_sync_of
from backend.core.link_facts import LinkFacts
from backend.core.ports import NodeError
from backend.core.topology import EventsByNode
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import HeldPrivileges, held_privileges, schema_pattern
from backend.gateway.reader import Reader

EventLacks = dict[str, dict[tuple[str, str], tuple[str, ...]]]
"""By node id and event, the privileges that are missing."""


def reject_queries_privileges(facts: LinkFacts, gateway: NodeGateway, *, rejects: bool) -> dict[str, bool]:
    """Whether it may set wsrep_reject_queries, by id of each node where a plan would; a failing node is left out."""
    nodes = nodes_to_change(facts, rejects=rejects)
    return _held({node.node.id: PRIVILEGE for node in nodes}, gateway)


def semi_sync_privileges(facts: LinkFacts, gateway: NodeGateway) -> dict[str, bool]:
    """Whether it may turn the semi-synchronous wait off and on, by node id; nothing where no node has it on."""
    up = [node for node in facts.nodes if node.is_up]
    if not any(semi_sync_of(node).is_on for node in up):
        return {}
    return _held({node.node.id: dialect_of(node).semi_sync_privilege for node in up}, gateway)


def _held(privileges: dict[str, str], gateway: NodeGateway) -> dict[str, bool]:
    """Whether the operator account holds the privilege on each node; a failing node is left out: it is unknown."""
    found: dict[str, bool] = {}
    for node_id, privilege in privileges.items():
        access = gateway.access(node_id)
        reader = Reader(access.ref, access.operator)
        try:
            held = held_privileges(reader)
        except NodeError:
            continue
        finally:
            reader.close()
        found[node_id] = not held.lacks((privilege,))
    return found


def lacking_for_events(facts: LinkFacts, gateway: NodeGateway, events: EventsByNode) -> EventLacks:
    """What it lacks to alter each event that a node shows, by node; a failing node is left out."""
    found: EventLacks = {}
    for node in facts.nodes:
        if not node.is_up or not events.get(node.node.id):
            continue
        access = gateway.access(node.node.id)
        reader = Reader(access.ref, access.operator)
        try:
            held = held_privileges(reader)
            account = str(reader.query("SELECT CURRENT_USER() AS me")[0]["me"])
        except NodeError:
            continue  # unknown: the check says so
        finally:
            reader.close()
        found[node.node.id] = {
            event.key: (
                *(f"EVENT ON {schema_pattern(event.schema)}.*" for _ in held.lacks(("EVENT",), event.schema)),
                *(f"{name} ON *.*" for name in _lacks_for_definer(held, event.definer == account)),
            )
            for event in events[node.node.id]
        }
    return found


def _lacks_for_definer(held: HeldPrivileges, is_own: bool) -> tuple[str, ...]:
    """An account may name itself as the definer; for another one it needs a privilege."""
    return () if is_own else held.lacks(("SET USER",))
