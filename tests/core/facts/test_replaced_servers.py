"""A server that took a node's place is used by no plan before a person confirmed it."""

from __future__ import annotations

from dataclasses import replace

from backend.core.checks.nodes import check_identity
from backend.core.facts.server_identity import observed_server, remembered_server_ids, replacements
from backend.core.findings import Finding, Severity
from backend.core.link_state.findings import link_findings
from backend.core.link_state.site_readiness import Readiness
from backend.core.topology import ClusterFacts, RecordedServer
from tests.fakes.plans import context_of
from tests.fakes.world import FakeWorld


def _recorded(cluster: ClusterFacts) -> ClusterFacts:
    """The cluster with the servers that respond now as the recorded ones."""
    seen = {node.node.id: observed_server(node) for node in cluster.nodes}
    return replace(cluster, recorded_servers={node_id: one for node_id, one in seen.items() if one is not None})


def _with_another(cluster: ClusterFacts, name: str, **changes: object) -> ClusterFacts:
    """The cluster where this node is recorded as another server."""
    node_id = next(node.node.id for node in cluster.nodes if node.node.name == name)
    servers = dict(cluster.recorded_servers)
    servers[node_id] = replace(servers[node_id], **changes)  # type: ignore[arg-type]
    return replace(cluster, recorded_servers=servers)


def _found(name: str, **changes: object) -> list[Finding]:
    ctx = context_of(FakeWorld())
    link = replace(ctx.link, active=_recorded(ctx.link.active), standby=_recorded(ctx.link.standby))
    side = "active" if name.startswith("a") else "standby"
    link = replace(link, **{side: _with_another(getattr(link, side), name, **changes)})
    return [one for one in check_identity(replace(ctx, link=link)) if one.code == "server_replaced"]


def test_check__node_of_the_plan_is_another_server__blocker() -> None:
    ctx = context_of(FakeWorld())
    used = ctx.subjects[0].node.name
    for changes in ({"server_id": 4711}, {"server": "h:3306 x /data/"}):
        assert [one.severity for one in _found(used, **changes)] == [Severity.BLOCKER]


def test_check__another_node_was_replaced__a_warning() -> None:
    ctx = context_of(FakeWorld())
    used = {node.node.id for node in ctx.subjects}
    spare = next(node.node.name for node in ctx.link.nodes if node.node.id not in used)
    assert [one.severity for one in _found(spare, server_id=4711)] == [Severity.WARNING]


def test_replacements__recorded_or_never_recorded_or_down__none() -> None:
    cluster = FakeWorld().facts().active
    assert replacements(cluster) == ()
    assert replacements(_recorded(cluster)) == ()
    names = {node.node.id: RecordedServer("other", 1) for node in cluster.nodes}
    down = replace(cluster, nodes=tuple(replace(n, variables={}) for n in cluster.nodes), recorded_servers=names)
    assert replacements(down) == ()


def test_link__a_node_was_replaced__its_finding_is_shown() -> None:
    link = FakeWorld().facts()
    active = _with_another(_recorded(link.active), link.active.nodes[0].node.name, server_id=4711)
    found = link_findings(replace(link, active=active), (), None, Readiness("unknown", ""))
    assert [one.severity for one in found if one.code == "server_replaced"] == [Severity.WARNING]


def test_server_ids__another_server_confirmed__the_former_id_stays() -> None:
    known = remembered_server_ids({"n_a3": 13}, {"n_a3": 14}, {"n_a3": 13})
    assert sorted(known.values()) == [13, 14]
    assert sorted(remembered_server_ids(known, {"n_a3": 14}, {"n_a3": 14}).values()) == [13, 14]


def test_server_ids__of_a_foreign_server_at_a_wrong_address__forgotten_with_it() -> None:
    """Kept, the other cluster's id would refuse every plan: it would be used on both sides."""
    wrong = remembered_server_ids({"n_a3": 13}, {"n_a3": 21}, {"n_a3": 13})
    assert set(remembered_server_ids(wrong, {"n_a3": 13}, {"n_a3": 13}).values()) == {13}
