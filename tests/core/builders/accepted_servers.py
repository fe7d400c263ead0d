"""A link of servers that were never tried, with what is accepted for each of its clusters."""

from __future__ import annotations

from dataclasses import replace

from backend.core.checks.run import run_checks
from backend.core.checks.servers import check_servers
from backend.core.findings import Finding
from backend.core.link_facts import LinkFacts
from backend.core.topology import AcceptedServer, ClusterFacts
from tests.core.builders.link_facts import context, down, link

PXC = AcceptedServer("pxc", "8.0", "We compared every statement in staging.", "ada", 1_800_000_000.0)


def with_servers(cluster: ClusterFacts, accepted: AcceptedServer | None, flavor: str, version: str) -> ClusterFacts:
    """The cluster with nodes of this family and release."""
    nodes = (
        replace(one, node=replace(one.node, accepted=accepted), flavor=flavor, version=version) for one in cluster.nodes
    )
    return replace(cluster, nodes=tuple(nodes))


def accepted_link(
    first: AcceptedServer | None = PXC,
    second: AcceptedServer | None = PXC,
    *,
    flavor: str = "pxc",
    version: str = "8.0.36-28.1",
) -> LinkFacts:
    """Both clusters of this family and release, each with what is accepted for it."""
    facts = link()
    return replace(
        facts,
        active=with_servers(facts.active, first, flavor, version),
        standby=with_servers(facts.standby, second, flavor, version),
    )


def found(facts: LinkFacts) -> list[Finding]:
    """What the check finds."""
    return list(run_checks(context(facts), [check_servers]))


def codes(facts: LinkFacts) -> set[str]:
    """Their codes."""
    return {one.code for one in found(facts)}


def lost_standby(facts: LinkFacts) -> LinkFacts:
    """The standby is lost."""
    for name in ("b1", "b2", "b3"):
        facts = down(facts, name)
    return facts
