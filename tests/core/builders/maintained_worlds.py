"""A node that is to be away for a time, and the plan for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backend.core.adviser.node_absence.donors import Context, donors_for
from backend.core.estimates import Unknown
from backend.core.plan import Plan
from backend.core.plans import node_maintenance
from backend.core.plans.maintenance_findings import Absence
from backend.core.topology import NodeFacts
from tests.fakes.plans import FakePlanner, context_of
from tests.fakes.world import FakeWorld

OPTIONS = {"gcache.size": "128M", "gmcast.segment": "0", "pc.weight": "1"}
QUIET = dict.fromkeys(("n_a1", "n_a2", "n_a3", "n_b1", "n_b2", "n_b3"), 0.0)


def world(**options: str) -> FakeWorld:
    """Channels between a1 and b1; every node reports these provider options."""
    made = FakeWorld.classic()
    for node in made.nodes:
        node.variables |= OPTIONS | options
    return made


def plan_for(made: FakeWorld, node: str = "a3", *, shares: dict[str, float | None] = QUIET, **more: Any) -> Plan:
    """As the console plans it."""
    ctx = context_of(made)
    facts = _held(ctx.link.node(made.node(node).ref.id))
    peer_nodes = [_held(one) for one in ctx.cluster_of(facts).nodes]
    donors = donors_for(facts, peer_nodes, Context(frozenset({"n_a1", "n_b1"}), shares), Unknown("a member"))
    given: dict[str, Any] = {"time": 7_200.0, "threshold_s": 600.0, "most_s": 3_600.0} | more
    return FakePlanner(made, node_maintenance.KIND, {}, told={"absence": Absence(facts, donors, **given)}).plan()


def _held(node: NodeFacts) -> NodeFacts:
    """With a gcache, which the fake servers do not have."""
    return replace(node, wsrep=replace(node.wsrep, cached_downto=1) if node.wsrep else None)
