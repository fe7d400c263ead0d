"""A simulated worker ends what the run before its own left under way, as the console's does."""

from __future__ import annotations

import pytest

from tests.fakes.driver import StoredStatement
from tests.fakes.gateway import Session
from tests.sim.console import Bench
from tests.sim.plans import Wish


@pytest.mark.parametrize(("answers", "left"), [(True, []), (False, [7])])
def test_successor__statement_of_the_superseded_run__its_session_is_ended_where_its_node_answers(
    answers: bool, left: list[int]
) -> None:
    bench = Bench(by_gtid=False)
    bench.world.converge()
    bench.make_plan(Wish("relocate", source=0, replica=1))
    older = bench.start()
    node = bench.world.node("b3")
    bench.workers[0].take()
    older.memory.statements.append(StoredStatement(1, node.name, node.ref.id, "STOP SLAVE 'link1'", 7))
    bench.sessions[7] = Session(7, node, (older.id, 1), in_flight="STOP SLAVE 'link1'")
    older.finish("needs_operator", 1, "Press Resume.")
    bench.make_plan(Wish("relocate", source=0, replica=1))
    successor = bench.execute()
    if not answers:
        bench.world.kill(node.name)
    bench.workers[1].take()  # removes the message of the older run
    bench.workers[1].half_step()
    assert (bench.workers[1].run, older.superseded_by) == (successor, successor.id if successor else "")
    assert list(bench.sessions) == left
