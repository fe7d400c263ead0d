"""Checks of `wsrep_reject_queries`: setting it requires SUPER (error 1227 otherwise, observed on MariaDB 10.11.19)."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.topology import NodeFacts

VARIABLE = "wsrep_reject_queries"
PRIVILEGE = "SUPER"


def nodes_to_change(link: LinkFacts, *, rejects: bool) -> tuple[NodeFacts, ...]:
    """Nodes on which the variable will be changed: the side to fence if requested, the side to unfence where set."""
    closing = [node for node in link.active.nodes if rejects and node.is_up]
    opening = [n for n in link.standby.nodes if n.is_up and (n.variable(VARIABLE) or "NONE").upper() != "NONE"]
    return (*closing, *opening)


def check_reject_queries_privilege(ctx: CheckContext) -> Iterator[Finding]:
    """Without the privilege a run would stop in the middle of its fence steps."""
    for node in nodes_to_change(ctx.link, rejects=ctx.rejects_queries):
        name, may = node.node.name, ctx.may_reject.get(node.node.id)
        facts = {"node": name, "privilege": PRIVILEGE}
        if may is None:
            yield Finding(
                "reject_queries_privilege_unknown",
                Severity.UNKNOWN,
                f"It is unknown whether the operator account may set {VARIABLE} on {name}.",
                f"Check that the operator account can log in to {name}.",
                facts,
            )
        elif not may:
            yield Finding(
                "reject_queries_privilege_missing",
                Severity.BLOCKER,
                f"The operator account lacks {PRIVILEGE} on {name}, so it cannot set {VARIABLE}.",
                f"Grant {PRIVILEGE} to the operator account, or plan without reject_queries: read_only alone stops "
                "writes.",
                facts,
            )
