"""Checks that plans are made with the servers of both clusters: they were tried, or an administrator accepts them."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.dialects import accepted_series, needs_acceptance, node_refusal
from backend.core.dialects.tested_versions import FAMILIES
from backend.core.facts.known_defects import known_defect_findings
from backend.core.findings import Finding, Severity
from backend.core.topology import AcceptedServer, ClusterFacts, NodeFacts

ACCEPTED = "server_not_tried_accepted"


def check_servers(ctx: CheckContext) -> Iterator[Finding]:
    """A server that was never tried is no part of a plan, unless an administrator accepts it for its cluster."""
    for cluster in ctx.clusters:
        up = [node for node in cluster.nodes if node.is_up]
        refused = [(node, why) for node in up if (why := node_refusal(node) or _without_the_other(ctx, node))]
        yield from (_refusal(cluster, node, why) for node, why in refused)
        if not refused and any(map(needs_acceptance, up)):
            yield _accepted(cluster)
    yield from known_defect_findings(ctx.link.nodes)


def _without_the_other(ctx: CheckContext, node: NodeFacts) -> str | None:
    """Why an acceptance does not count: the link joins two families, or may join two.

    Nothing was observed of a side that is lost, so the acceptance of its cluster is asked.
    """
    if not needs_acceptance(node):
        return None
    families = {ref.accepted.flavor if ref.accepted else None for ref in (one.node for one in ctx.link.nodes)}
    if families == {node.flavor}:
        return None
    other = next(cluster for cluster in ctx.clusters if cluster.id != node.node.cluster_id)
    name = FAMILIES[str(node.flavor)].name
    return f"{name} is not accepted for both clusters of the link, and {other.name} may be of another family"


def _refusal(cluster: ClusterFacts, node: NodeFacts, why: str) -> Finding:
    name, series = node.node.name, accepted_series(node.flavor, node.version)
    if series is None:
        otherwise = f"Or install a release on {name} that the page of compatibility names."
    elif node.wsrep is None:
        otherwise = f"Or start {name} with Galera."
    else:
        accepted = f"{FAMILIES[str(node.flavor)].name} {series}"
        otherwise = f"Or let an administrator accept plans with {accepted} in writing, on the page of each cluster."
    return Finding(
        "server_watched_only",
        Severity.BLOCKER,
        f"{name} cannot be part of a plan. {why}.",
        f"Move the channels by hand. {otherwise}",
        {"node": name, "cluster": cluster.name, "flavor": node.flavor, "version": node.version, "acceptable": series},
    )


def _accepted(cluster: ClusterFacts) -> Finding:
    accepted = accepted_of(cluster)
    assert accepted is not None
    name = f"{FAMILIES[accepted.flavor].name} {accepted.series}"
    return Finding(
        ACCEPTED,
        Severity.WARNING,
        f"Hawser was never tried with {name} on a real server. {accepted.by} accepted plans with it for "
        f"{cluster.name}: “{accepted.text}”",
        "Compare each statement of the plan with the documentation of your servers before you confirm. To refuse such "
        f"plans again, withdraw the acceptance on the page of {cluster.name}.",
        {
            "cluster": cluster.name,
            "flavor": accepted.flavor,
            "series": accepted.series,
            "accepted_by": accepted.by,
            "accepted_at_s": accepted.at_s,
            "text": accepted.text,
        },
    )


def accepted_of(cluster: ClusterFacts) -> AcceptedServer | None:
    """What is accepted for a cluster, as each of its nodes has it."""
    return cluster.nodes[0].node.accepted if cluster.nodes else None
