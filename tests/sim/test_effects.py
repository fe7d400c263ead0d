"""The judge of single statements speaks where a channel is started behind what the receiving side holds."""

from __future__ import annotations

import pytest

from tests.fakes.driver import StoredStatement
from tests.sim.console import Bench
from tests.sim.effects import judge
from tests.sim.plans import Wish
from tests.sim.switches import relocating


@pytest.mark.parametrize(("groups_early", "is_told"), [(0, False), (1, True)])
def test_start__of_a_pointed_channel__told_where_it_would_double(groups_early: int, is_told: bool) -> None:
    bench, run = relocating()
    node, source = bench.world.node("b2"), bench.world.node("a1")
    run.memory.statements.append(StoredStatement(0, node.name, node.ref.id, "CHANGE MASTER", 1))
    own = [p for p in source.log.placed if p.txn.server_id in bench.world.a.server_ids]
    channel = bench.world.connect("a1", "b2", is_running=False)
    channel.position = channel.read = own[-1 - groups_early].end
    run.intended_tick = bench.world.ticks
    breaks = [fault for fault in judge(bench, node, "START SLAVE 'link1'", (run.id, 0)) if "is started at" in fault]
    assert bool(breaks) is is_told


@pytest.mark.parametrize(("groups_early", "is_told"), [(0, False), (1, True)])
def test_start__of_a_channel_where_it_stands__told_where_it_would_double(groups_early: int, is_told: bool) -> None:
    bench = Bench(by_gtid=False)
    bench.world.converge()
    node, source = bench.world.node("b1"), bench.world.node("a1")
    channel = node.channels["link1"]
    channel.io = channel.sql = "No"
    assert not bench.make_plan(Wish("start_channel")).is_refused
    run = bench.start()
    own = [p for p in source.log.placed if p.txn.server_id in bench.world.a.server_ids]
    channel.position = channel.read = own[-1 - groups_early].end
    run.intended_tick = bench.world.ticks
    breaks = [fault for fault in judge(bench, node, "START SLAVE 'link1'", (run.id, 0)) if "goes on at" in fault]
    assert bool(breaks) is is_told
