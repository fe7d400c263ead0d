"""A link that may be relocated onto a2 and b2, and the same with single facts changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from backend.core.checks.context import CheckContext, Pair
from backend.core.checks.run import run_checks
from backend.core.findings import Finding
from backend.core.link_facts import LinkFacts
from backend.core.plans.context import context_for
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.topology import ClusterFacts, NodeFacts, Reach
from tests.fakes.world import FakeWorld

LinkChange = Callable[[LinkFacts], LinkFacts]
PAIR = Pair("n_a2", "n_b2")


def link() -> LinkFacts:
    """A link that may be relocated onto a2 and b2."""
    return FakeWorld.classic().facts()


def context(facts: LinkFacts, **more: object) -> CheckContext:
    """The context of that move, all logins having worked."""
    logins: dict[str, str | None] = {"n_a2": None, "n_b2": None}
    return context_for(facts, PAIR, now_s=facts.observed_at_s, **({"replication_logins": logins} | more))  # type: ignore[arg-type]


def relocate_findings(ctx: CheckContext) -> tuple[Finding, ...]:
    """The findings of a relocate's checks."""
    return run_checks(ctx, RELOCATE_CHECKS)


def refusing(ctx: CheckContext) -> set[str]:
    """Codes of the findings that refuse."""
    return {f.code for f in relocate_findings(ctx) if f.refuses}


def with_node(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """The link with some facts of one node replaced."""
    return replace(facts, active=_cluster(facts.active, name, changes), standby=_cluster(facts.standby, name, changes))


def _cluster(cluster: ClusterFacts, name: str, changes: dict[str, object]) -> ClusterFacts:
    nodes = tuple(replace(n, **changes) if n.node.name == name else n for n in cluster.nodes)  # type: ignore[arg-type]
    return replace(cluster, nodes=nodes)


def node_of(facts: LinkFacts, name: str) -> NodeFacts:
    """By name."""
    return next(n for n in facts.nodes if n.node.name == name)


def with_wsrep(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """Galera's status changed."""
    wsrep = node_of(facts, name).wsrep
    assert wsrep is not None
    return with_node(facts, name, wsrep=replace(wsrep, **changes))  # type: ignore[arg-type]


def with_variable(facts: LinkFacts, name: str, variable: str, value: str | None) -> LinkFacts:
    """One variable changed, or (None) not known."""
    known = {k: v for k, v in node_of(facts, name).variables.items() if k != variable}
    return with_node(facts, name, variables=known if value is None else known | {variable: value})


def with_channel(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """The node's channel changed."""
    channels = node_of(facts, name).channels
    assert channels
    return with_node(facts, name, channels=(replace(channels[0], **changes),))  # type: ignore[arg-type]


def with_second(facts: LinkFacts, name: str, /, **changes: object) -> LinkFacts:
    """A copy of the forward channel on another node."""
    channels = node_of(facts, "b1").channels
    assert channels
    return with_node(facts, name, channels=(replace(channels[0], **changes),))  # type: ignore[arg-type]


def down(facts: LinkFacts, name: str, reach: Reach = Reach.DOWN) -> LinkFacts:
    """Not seen, and still counted by its cluster."""
    node = node_of(facts, name)
    dark = NodeFacts(node.node, node.observed_at_s, reach, error="no answer")
    return with_node(facts, name, **{f.name: getattr(dark, f.name) for f in fields(NodeFacts)})


def expelled(facts: LinkFacts, name: str) -> LinkFacts:
    """Not seen, and the survivors form a component without it."""
    facts = down(facts, name)
    cluster = facts.active if name.startswith("a") else facts.standby
    for node in cluster.nodes:
        if node.is_up:
            facts = with_wsrep(facts, node.node.name, cluster_size=2, conf_id=9)
    return facts


def with_option(facts: LinkFacts, name: str, value: str | None) -> LinkFacts:
    """One carried option of the forward channel changed, or (None) not known."""
    channels = node_of(facts, "b1").channels
    assert channels
    options = {k: v for k, v in channels[0].options.items() if k != name} | ({} if value is None else {name: value})
    return with_channel(facts, "b1", options=options)
