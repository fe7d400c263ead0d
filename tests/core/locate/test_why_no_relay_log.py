"""Why no replica's own position is evidence is said as it is: a node that is up is not called unreachable."""

from __future__ import annotations

from backend.core.locate.requests import LocateRequest
from backend.core.locate.search_inputs import seqno_clue
from backend.core.topology import Direction
from tests.core.builders.lost_sides import failed_over
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld


def _why_no_relay_log(world: FakeWorld) -> str:
    link = world.facts()
    question = LocateRequest(Direction.FORWARD, "n_b1", "n_a1", None, "n_b1", False)
    said = seqno_clue(question, link, FakeGateway(world, moves=False), world.journal, "")
    assert isinstance(said, str)
    return said


def test_relay_log__of_a_node_started_after_the_failover__not_called_unreachable() -> None:
    world = failed_over()
    assert "not reachable" in _why_no_relay_log(world)
    world.start_server("a1")
    world.tick()
    assert _why_no_relay_log(world).startswith("The own position of a1 is not used: it was started after the failover")
