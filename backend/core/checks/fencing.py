"""Checks that each node to be fenced or unfenced reports the settings that the run needs."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.channels import unreachable_holders
from backend.core.checks.context import CheckContext
from backend.core.dialects import DialectError, dialect_of
from backend.core.facts.membership import bypasses_replication
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.topology import NodeFacts


def unread_settings(node: NodeFacts, *variables: str) -> list[str]:
    """What a node that responds does not report of itself although the statements to it depend on it."""
    found = [name for name in variables if node.variable(name) is None]
    return found if _has_dialect(node) else ["its version", *found]


def _has_dialect(node: NodeFacts) -> bool:
    try:
        dialect_of(node)
    except DialectError:
        return False
    return True


def cannot_be_fenced(ctx: CheckContext, node: NodeFacts) -> Finding | None:
    """The finding where a node responds, but does not report what its fence depends on."""
    reject_settings = ("wsrep_reject_queries",) if ctx.rejects_queries else ()
    missing = unread_settings(node, "read_only", *reject_settings)
    if not missing:
        return None
    return Finding(
        "node_cannot_be_fenced",
        Severity.UNKNOWN,
        f"{node.node.name} responds, but does not report {' or '.join(missing)}. It cannot be fenced.",
        f"{how_to_read(node.node.name, missing)} Or shut the node down.",
        {"node": node.node.name, "node_id": node.node.id, "reach": node.reach.value, "unread": missing},
    )


def check_nodes_can_be_opened(ctx: CheckContext) -> Iterator[Finding]:
    """A node is not unfenced while its settings, or its membership in its cluster, are unknown."""
    for node in ctx.link.standby.nodes:
        alone = bypasses_replication(node) if node.is_up else None
        if alone is not None:
            yield alone
            continue
        missing = unread_settings(node, "read_only", "wsrep_reject_queries") if node.is_up else []
        if node.is_up and node.wsrep is None:
            missing.append("whether it is in its cluster")
        if missing:
            yield Finding(
                "node_cannot_be_opened",
                Severity.UNKNOWN,
                f"{node.node.name} responds, but does not report {' or '.join(missing)}. It cannot be unfenced.",
                f"{how_to_read(node.node.name, missing)} Or shut the node down: the side is activated without it.",
                {"node": node.node.name, "node_id": node.node.id, "unread": missing},
            )


def check_unreachable_standby(ctx: CheckContext) -> Iterator[Finding]:
    """An unreachable standby node may hold a channel that no step drains: it would apply old writes after new ones."""
    yield from unreachable_holders(ctx, ctx.forward)
