"""Which nodes a cut separates, and the rules for it."""

from __future__ import annotations

from deploy.lab.layout import Settings, nodes_of
from deploy.lab.partition import pairs, rules

NODES = nodes_of(Settings())


def test_pairs__between_sites__every_pair_across_and_none_within() -> None:
    found = pairs("a-b", NODES)
    assert len(found) == 9
    assert all(one.site != other.site for one, other in found)


def test_pairs__one_node__that_node_from_all_others() -> None:
    assert [other.name for _, other in pairs("db-a2", NODES)] == ["db-a1", "db-a3", "db-b1", "db-b2", "db-b3"]


def test_rules__one_pair__both_ends_leaving_and_arriving() -> None:
    first, last = NODES[0], NODES[-1]
    made = rules({first.name: "lab/x", last.name: "lab/y"}, [(first, last)])
    assert made == [
        'outgoing socket cgroupv2 level 2 "lab/x" ip daddr 127.0.2.3 drop',
        'incoming socket cgroupv2 level 2 "lab/x" ip saddr 127.0.2.3 drop',
        'outgoing socket cgroupv2 level 2 "lab/y" ip daddr 127.0.1.1 drop',
        'incoming socket cgroupv2 level 2 "lab/y" ip saddr 127.0.1.1 drop',
    ]
