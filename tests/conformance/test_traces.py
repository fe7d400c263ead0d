"""The model is kept honest: the same traces on it and on real servers, every answer and every state compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from deploy.lab.api import Lab
from tests.conformance.real_servers import bring_back
from tests.conformance.replay import is_noticed, linked_anew, play
from tests.conformance.traces import Move, trace
from tests.core.builders.examples import hunted
from tests.fakes import replication
from tests.fakes.channel import FakeChannel
from tests.fakes.cluster import FakeCluster
from tests.fakes.log import FakeLog
from tests.fakes.transactions import WRITTEN
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
MOVES = 20
SOON_S = 3.0
FIRST_SEED = 2
"""From here on five traces have every kind of move, and a freeze, which takes 15 s, only once."""
ALONE = "SET GLOBAL wsrep_on=OFF"


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + hunted(5, few=5)))
def test_trace__on_the_model_and_on_real_servers__same_answers(lab: Lab, seed: int) -> None:
    play(*linked_anew(lab), trace(seed, MOVES), f"seed {seed}")


def test_freeze__the_source_is_silent_for_less_than_the_timeout__the_channel_calls_itself_connected(lab: Lab) -> None:
    """Nothing on the replica tells of it: that a channel says Yes proves nothing of its source."""
    model, real = linked_anew(lab)
    frozen = Move("b1", "freeze")
    model.make(frozen, 0)
    model.world.tick()
    real.do(frozen, 0)
    seen = [side.state() for side in (model, real)]
    bring_back(lab)
    for state in seen:
        assert (state["b1"].reach, state["a1"].channels[0].io) == ("hung", "Yes")


def test_reset__a_waiting_channel_is_cut__asks_for_its_old_place_and_is_refused(lab: Lab) -> None:
    """It waits as long as its connection holds; that both are right is what a trace may meet on a busy machine."""
    model, real = linked_anew(lab)
    play(model, real, [Move("b1", "write"), Move("b1", "reset")], "waits")
    assert model.state()["a1"].channels[0].io == "Yes"
    for row in lab.sql("db-b1", "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump'"):
        lab.sql("db-b1", f"KILL {row['ID']}")
    wait_for(lambda: real.state()["a1"].channels[0].io == "No", "the refusal")
    play(model, real, [Move("a2", "rotate")], "cut", SOON_S)
    assert model.state()["a1"].channels[0].io == "No"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A belief put in the place of one of the model's, and moves that tell it from servers."""

    where: Any
    name: str
    belief: Any
    moves: tuple[Move, ...]


WRONG = {
    "starts no channel with its server": Wrong(
        FakeChannel,
        "begin",
        lambda channel: None,
        (Move("b1", "STOP SLAVE"), Move("b1", "kill"), Move("b1", "return")),
    ),
    "reads on in a log that was reset": Wrong(
        FakeLog, "reaches", lambda log, position: True, (Move("a1", "rotate"), Move("a1", "reset"))
    ),
    "is refused by a log that was reset under the same name": Wrong(
        replication, "_outlives", lambda log, channel: True, (Move("a1", "write"), Move("a1", "reset"))
    ),
    "counts nothing as applied": Wrong(replication, "_count", lambda node, gtids: None, (Move("a1", "write"),)),
    "lets a thread forget how it began": Wrong(
        FakeCluster,
        "write_local",
        lambda cluster, node, txn, gtid=None, by=WRITTEN: cluster.commit(txn, gtid),
        (Move("a1", "STOP SLAVE"), Move("a1", ALONE), Move("a1", "START SLAVE"), Move("b1", "write")),
    ),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_trace__the_model_is_wrong__noticed(lab: Lab, wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: each of these beliefs is told from what the servers do."""
    model, real = linked_anew(lab)
    monkeypatch.setattr(wrong.where, wrong.name, wrong.belief)
    assert is_noticed(model, real, wrong.moves, SOON_S)


def test_trace__the_model_filters_what_it_should_not__noticed(lab: Lab) -> None:
    """The comparison can fail: a model that ignores the other side's servers never brings their write across."""
    model, real = linked_anew(lab)
    model.world.node("b1").channels[""].ignore = model.world.a.server_ids
    assert is_noticed(model, real, [Move("a1", "write")], SOON_S)
