"""What the operator account may do, read in a session of its own."""

from __future__ import annotations

from backend.core.checks.reject_queries import PRIVILEGE, nodes_to_change
from backend.core.link_facts import LinkFacts
from backend.core.ports import NodeError
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import held_privileges
from backend.gateway.reader import Reader


def reject_queries_privileges(facts: LinkFacts, gateway: NodeGateway, *, rejects: bool) -> dict[str, bool]:
    """Whether it may set wsrep_reject_queries, by id of each node where a plan would; a failing node is left out."""
    found: dict[str, bool] = {}
    for node in nodes_to_change(facts, rejects=rejects):
        access = gateway.access(node.node.id)
        reader = Reader(access.ref, access.operator)
        try:
            held = held_privileges(reader)
        except NodeError:
            continue  # unknown: the check reports it and refuses
        finally:
            reader.close()
        found[node.node.id] = not held.lacks((PRIVILEGE,))
    return found
