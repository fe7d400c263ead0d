"""What the simulated servers do on their own is what real ones do."""

from __future__ import annotations

import pytest

from tests.sim import server_events
from tests.sim.console import Bench


@pytest.mark.parametrize(
    ("is_hung", "starts", "runs"), [(False, True, True), (False, False, False), (True, True, False)]
)
def test_return__of_a_node_whose_channel_was_stopped__runs_again_only_where_the_server_started(
    is_hung: bool, starts: bool, runs: bool
) -> None:
    bench = Bench(by_gtid=False)
    node = bench.world.node("b1")
    server_events.stop_slave(bench, node, threads="both")
    server_events.kill(bench, node, is_hung=is_hung)
    server_events.bring_back(bench, node, starts_channels=starts)
    assert node.channels["link1"].is_running is runs
