"""A poll of some of a link's nodes: nothing is stated of the others, and what hung is known afterwards."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from backend.core.topology import NodeFacts, NodeRef, Reach
from backend.gateway import gateway as gateway_module
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess, NodeAccess, NodeEndpoint
from backend.gateway.gateway import NodeGateway

HUNG = "n_a2"


def _cluster(side: str) -> ClusterAccess:
    endpoint = NodeEndpoint("127.0.0.1", 1, "u", "p")
    refs = [NodeRef(f"n_{side}{n}", f"db-{side}{n}", "127.0.0.1", n, f"c_{side}") for n in (1, 2)]
    return ClusterAccess(f"c_{side}", side, side, tuple(NodeAccess(ref, endpoint, endpoint) for ref in refs))


@pytest.fixture
def polls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], frozenset[str]]]:
    """Of each poll: the nodes that were asked, and those that are not waited for."""
    asked: list[tuple[list[str], frozenset[str]]] = []

    def observe_all(
        accesses: Sequence[NodeAccess], *, impatient: Collection[str] = (), **_: object
    ) -> dict[str, NodeFacts]:
        asked.append(([one.ref.id for one in accesses], frozenset(impatient)))
        return {
            one.ref.id: NodeFacts(one.ref, 1.0, Reach.HUNG if one.ref.id == HUNG else Reach.DOWN) for one in accesses
        }

    monkeypatch.setattr(gateway_module, "observe_all", observe_all)
    return asked


@pytest.fixture
def gateway() -> NodeGateway:
    return NodeGateway(LinkAccess("l_1", "left", "", active=_cluster("a"), standby=_cluster("b")))


def test_observe_link__of_a_cluster_and_a_node__others_unknown(
    gateway: NodeGateway, polls: list[tuple[list[str], frozenset[str]]]
) -> None:
    link = gateway.observe_link(of=("c_b", "n_a1"))
    assert polls[-1][0] == ["n_a1", "n_b1", "n_b2"]
    assert {node.node.id: node.reach for node in (*link.active.nodes, *link.standby.nodes)} == {
        "n_a1": Reach.DOWN,
        "n_a2": Reach.UNKNOWN,
        "n_b1": Reach.DOWN,
        "n_b2": Reach.DOWN,
    }


def test_observe_link__one_hung_and_others_polled_since__it_is_not_waited_for_again(
    gateway: NodeGateway, polls: list[tuple[list[str], frozenset[str]]]
) -> None:
    gateway.observe_link()
    gateway.observe_link(of=("c_b",))
    gateway.observe_link()
    assert polls[-1][1] == {HUNG}


def test_facts_of__polled_lately_or_not__only_the_others_are_polled(
    gateway: NodeGateway, polls: list[tuple[list[str], frozenset[str]]]
) -> None:
    gateway.observe_link(of=("c_b", HUNG))
    assert gateway.facts_of(["n_b1", HUNG], max_age_s=60.0)[HUNG].reach is Reach.HUNG
    assert polls[-1][0] == []
    assert gateway.facts_of(["n_a1", "n_b1"], max_age_s=60.0).keys() == {"n_a1", "n_b1"}
    assert polls[-1] == (["n_a1"], frozenset({HUNG}))
    gateway.facts_of(["n_b1", HUNG], max_age_s=0.0)
    assert polls[-1][0] == ["n_b1", HUNG]
