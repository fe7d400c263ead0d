"""The members that a cluster names itself, against the nodes that are registered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.named_members import NamedMembers, named_members, parse_address
from backend.core.topology import ClusterFacts, NodeFacts, Reach
from tests.fakes.world import FakeWorld

ALL = ("10.0.0.1:3306", "10.0.0.2:3306", "10.0.0.3:3306")


def _node(node: NodeFacts, index: int | None, entries: tuple[str, ...], conf_id: int = 9) -> NodeFacts:
    assert node.wsrep is not None
    wsrep = replace(
        node.wsrep, incoming_addresses=entries, local_index=index, cluster_size=len(entries), conf_id=conf_id
    )
    return replace(node, wsrep=wsrep)


def _cluster(entries: tuple[str, ...] = ALL, indexes: tuple[int | None, ...] = (0, 1, 2)) -> ClusterFacts:
    cluster = FakeWorld().facts().active
    nodes = [_node(node, index, entries) for node, index in zip(cluster.nodes, indexes, strict=False)]
    return replace(cluster, nodes=tuple(nodes))


def _named(cluster: ClusterFacts) -> NamedMembers | None:
    return named_members(cluster, {node.node.id: {node.node.address} for node in cluster.nodes})


def _down(cluster: ClusterFacts, *numbers: int) -> ClusterFacts:
    nodes = [
        replace(node, reach=Reach.DOWN, wsrep=None) if number in numbers else node
        for number, node in enumerate(cluster.nodes)
    ]
    return replace(cluster, nodes=tuple(nodes))


def _ids(cluster: ClusterFacts, *numbers: int) -> tuple[str, ...]:
    return tuple(cluster.nodes[number].node.id for number in numbers)


def test_members__all_registered__whatever_addresses_they_state() -> None:
    for entries in (ALL, ("AUTO", "AUTO", "AUTO"), ("db1", "db2:3307", "[fd00::3]:3306")):
        assert _named(_cluster(entries)) == NamedMembers(3, (), 0, ())


def test_members__one_more_than_registered__offered_by_its_address() -> None:
    cluster = _cluster((*ALL, "10.0.0.4:3310"))
    assert _named(cluster) == NamedMembers(4, (("10.0.0.4", 3310),), 0, ())


@pytest.mark.parametrize("entry", ["", "AUTO"])
def test_members__one_more_without_an_address__counted(entry: str) -> None:
    assert _named(_cluster((*ALL, entry))) == NamedMembers(4, (), 1, ())


def test_members__one_left__absent() -> None:
    cluster = _down(_cluster(ALL[:2], (0, 1, None)), 2)
    assert _named(cluster) == NamedMembers(2, (), 0, _ids(cluster, 2))


def test_members__one_is_unreachable_and_still_a_member__not_absent() -> None:
    cluster = _down(_cluster(), 2)
    own = {node.node.id: {(f"10.0.0.{number}", 3306)} for number, node in enumerate(cluster.nodes, 1)}
    assert named_members(cluster, own) == NamedMembers(3, (), 0, ())


def test_members__one_is_unreachable_and_one_states_no_address__not_certain() -> None:
    assert _named(_down(_cluster(("AUTO", "AUTO", "AUTO")), 2)) == NamedMembers(3, (), 1, None)


def test_members__one_is_unreachable_and_one_is_not_recognised__not_certain() -> None:
    """The unknown address may be that of the unreachable node."""
    members = _named(_down(_cluster(), 2))
    assert members == NamedMembers(3, (("10.0.0.3", 3306),), 0, None)


def test_members__views_of_one_time_disagree__unknown() -> None:
    cluster = _cluster()
    nodes = (_node(cluster.nodes[0], 0, ALL[:2]), *cluster.nodes[1:])
    assert _named(replace(cluster, nodes=nodes)) is None


def test_members__an_older_view__does_not_count() -> None:
    cluster = _cluster()
    nodes = (_node(cluster.nodes[0], 0, ALL[:2], conf_id=8), *cluster.nodes[1:])
    members = _named(replace(cluster, nodes=nodes))
    assert members is not None
    assert members.size == 3


def test_members__nobody_in_the_primary_component__unknown() -> None:
    assert _named(_down(_cluster(), 0, 1, 2)) is None


def test_members__none_stated__unknown() -> None:
    cluster = _cluster()
    silent = [replace(node, wsrep=replace(node.wsrep, incoming_addresses=())) for node in cluster.nodes if node.wsrep]
    assert _named(replace(cluster, nodes=tuple(silent))) is None


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.0.0.1:3306", ("10.0.0.1", 3306)),
        ("DB1:3307", ("db1", 3307)),
        ("db1", ("db1", 3306)),
        ("[fd00::1]:3308", ("fd00::1", 3308)),
        ("fd00::1", ("fd00::1", 3306)),
        ("AUTO", None),
        ("", None),
        (":3306", None),
    ],
)
def test_address__as_members_state_it(text: str, address: tuple[str, int] | None) -> None:
    assert parse_address(text) == address
