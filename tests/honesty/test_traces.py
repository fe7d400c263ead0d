"""The model is kept honest: the same traces on it and on real servers, every answer and every state compared."""

from __future__ import annotations

import time

import pytest

from deploy.lab.api import Lab
from tests.core.hunting import hunted
from tests.fakes.channel import FakeChannel
from tests.gateway.lab import lab
from tests.honesty.answers import NODES
from tests.honesty.model import Model
from tests.honesty.real import Real
from tests.honesty.traces import Move, trace

__all__ = ["lab"]

pytestmark = pytest.mark.galera
MOVES = 20


def linked_anew(lab: Lab) -> None:
    """Both channels on the first nodes, at the ends of their sources' logs, running; nothing of before is left."""
    real = Real(lab)
    for replica, source in (("b1", "a1"), ("a1", "b1")):
        for what in ("STOP SLAVE", "RESET SLAVE ALL"):
            real.do(Move(replica, what), 0)
        for move in (Move(replica, "point", source), Move(replica, "START SLAVE")):
            assert real.do(move, 0).errno == 0, move
    for node in NODES:
        assert real.do(Move(node, "SET GLOBAL read_only=OFF"), 0).errno == 0
    running = dict.fromkeys(("a1", "b1"), ("Yes", "Yes"))
    until = time.monotonic() + 20
    while real.state().channels != running:
        assert time.monotonic() < until, real.state().channels
        time.sleep(0.1)


@pytest.mark.parametrize("seed", range(hunted(8)))
def test_trace__on_the_model_and_on_real_servers__same_answers(lab: Lab, seed: int) -> None:
    linked_anew(lab)
    model, real = Model(), Real(lab)
    for place, move in enumerate(trace(seed, MOVES)):
        number = seed * 1000 + place
        expected, got = model.do(move, number), real.do(move, number)
        said = f"seed {seed}, move {place}: {move}"
        assert got == expected, said
        state = model.state()
        assert real.settled(state) == state, said


def test_trace__the_model_filters_what_it_should_not__noticed(lab: Lab) -> None:
    """The comparison can fail: a model that ignores the other side's servers never brings their write across."""
    linked_anew(lab)
    model, real = Model(), Real(lab)
    model.world.node("b1").channels[""].ignore = model.world.a.server_ids
    move = Move("a1", "write")
    assert model.do(move, 990_001) == real.do(move, 990_001)
    wrong = model.state()
    assert real.settled(wrong, limit_s=3) != wrong


def test_trace__the_model_starts_no_channel_with_its_server__noticed(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: a channel that was stopped stands in the model and runs on the server that returned."""
    linked_anew(lab)
    monkeypatch.setattr(FakeChannel, "begin", lambda channel: None)
    model, real = Model(), Real(lab)
    for what in ("STOP SLAVE", "kill", "return"):
        move = Move("b1", what)
        assert model.do(move, 0) == real.do(move, 0), what
    wrong = model.state()
    assert real.settled(wrong, limit_s=3) != wrong
