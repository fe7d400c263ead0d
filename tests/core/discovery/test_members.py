"""Members of a cluster from what its servers name; none is ever left out."""

from __future__ import annotations

from dataclasses import replace

from backend.core.discovery.members import candidates, members
from backend.core.discovery.servers import DiscoveredServer
from tests.core.discovery.recorded import cluster, server


def test_candidates__one_node_connected__the_others_it_names() -> None:
    assert candidates([server(1, 2)]) == (("10.1.0.1", 3306), ("10.1.0.3", 3306))
    assert candidates(cluster(1)) == ()


def test_candidates__no_address_stated__those_that_the_node_joins_by() -> None:
    entry = server(1, 1, incoming=("AUTO", "AUTO", "AUTO"))
    assert candidates([entry]) == (("10.1.0.2", 3306), ("10.1.0.3", 3306))


def test_candidates__reached_by_another_name__not_tried_again() -> None:
    entry = server(1, 1, host="db-a1.example.net", addresses=("10.1.0.1",))
    assert ("10.1.0.1", 3306) not in candidates([entry])


def test_members__all_connected__by_name() -> None:
    found = members(list(reversed(cluster(1))))
    assert [(one.name, one.state) for one in found] == [(f"db-a{n}", "connected") for n in (1, 2, 3)]


def test_members__one_unreached__said_with_its_reason_and_what_stays_unknown() -> None:
    silent = DiscoveredServer("10.1.0.3", 3306, "hung", error="timed out")
    last = members([server(1, 1), server(1, 2), silent])[2]
    assert (last.state, last.host) == ("unreached", "10.1.0.3")
    assert "timed out" in last.sentence
    assert "unknown" in last.sentence


def test_members__address_unknown__stays_in_the_list() -> None:
    entry = server(1, 1, incoming=("10.1.0.1:3306", "AUTO", ""))
    found = members([entry])
    assert [one.state for one in found] == ["connected", "unknown_address", "unknown_address"]
    assert found[1].sentence == "The cluster does not state the address of its member 2 of 3. Enter it."


def test_members__counted_and_not_named__stays_in_the_list() -> None:
    found = members([server(1, 1, incoming=("10.1.0.1:3306",))])
    assert [one.state for one in found] == ["connected", "unknown_address", "unknown_address"]


def test_members__server_of_another_cluster__never_a_member() -> None:
    found = members([server(1, 1), server(2, 1)])
    assert [one.state for one in found] == ["connected", "unreached", "unreached", "other_cluster"]


def test_members__expelled_and_plain_servers__none_of_them() -> None:
    expelled = server(1, 3, cluster_status="non-Primary", incoming=("10.1.0.3:3306",), cluster_size=1)
    plain = server(1, 9 % 3 + 1, host="10.1.0.9", addresses=(), state_uuid="", cluster_status="", local_index=None)
    pair = [replace(one, incoming=one.incoming[:2], cluster_size=2) for one in cluster(1)[:2]]
    assert [one.state for one in members([*pair, expelled, plain])][2:] == ["no_cluster", "no_cluster"]


def test_members__one_server_by_two_addresses__once() -> None:
    duplicate = server(1, 1, host="proxy.example.net", addresses=("10.9.0.1",))
    assert [one.name for one in members([*cluster(1), duplicate])] == ["db-a1", "db-a2", "db-a3"]


def test_server__stored_and_read_again__the_same() -> None:
    for one in cluster(1):
        assert DiscoveredServer.from_json(one.to_json()) == one
