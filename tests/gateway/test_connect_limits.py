"""How long a connection may take: longer to a node whose last poll measured a distance, and never without bound."""

from __future__ import annotations

import pytest

from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, answers_limit_s, connect_limit_s
from backend.gateway.connection.session import Session


@pytest.mark.parametrize(
    ("round_trip_ms", "limit_s"), [(0.0, 1.0), (9.9, 1.0), (10.0, 2.0), (50.0, 2.0), (100.0, 3.0), (9000.0, 3.0)]
)
def test_connect_limit__round_trip__a_lost_first_packet_is_sent_again_within_it(
    round_trip_ms: float, limit_s: float
) -> None:
    assert connect_limit_s(round_trip_ms) == limit_s


@pytest.mark.parametrize(
    ("round_trip_ms", "limit_s"), [(0.0, 2.0), (9.9, 2.0), (50.0, 3.0), (150.0, 5.0), (9000.0, 5.0)]
)
def test_answers_limit__round_trip__longer_with_it_and_bounded(round_trip_ms: float, limit_s: float) -> None:
    assert answers_limit_s(round_trip_ms) == limit_s


def test_access__at_a_distance__the_same_node_with_more_time_for_both_accounts() -> None:
    endpoint = NodeEndpoint("db", 3306, "u", "p")
    near = NodeAccess(NodeRef("n_1", "db", "db", 3306, "c_1"), endpoint, endpoint)
    far = near.at_distance(150.0)
    assert far == near, "a poller is not started again because the distance varies"
    assert (near.connect_s, far.connect_s) == (1.0, 3.0)
    assert (near.answers_s, far.answers_s) == (2.0, 5.0)
    assert far.operator.round_trip_ms == 150.0
    assert far.at_distance(None).connect_s == 1.0


def test_session__one_long_round_trip_among_short_ones__waits_no_longer_for_answers() -> None:
    session = Session("db", NodeEndpoint("db", 3306, "u", "p"), read_only=True, read_s=2.0)
    for round_trip_ms in (0.4, 180.0, 180.0):
        session.set_distance(round_trip_ms)
    assert session.read_s == 2.0
    for _ in range(10):
        session.set_distance(180.0)
    assert session.read_s == 5.0, "the node moved away"
