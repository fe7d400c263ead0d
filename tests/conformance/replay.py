"""Playing moves on the model and on real servers, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from deploy.lab.api import Lab
from tests.conformance.model import Model
from tests.conformance.observations import NODES, State
from tests.conformance.real_servers import LIMIT_S, Real, bring_back
from tests.conformance.traces import Move

_NUMBERS = count(100_000)
"""No two groups of a lab are alike, and all numbers are of one length: so are groups of one kind, on both sides."""


def linked_anew(lab: Lab, *, by_gtid: bool = False) -> tuple[Model, Real]:
    """Empty logs, no GTID applied, and both channels on the first nodes, running; nothing of before is left."""
    bring_back(lab)
    real = Real(lab, by_gtid=by_gtid)
    for node in NODES:
        for what in ("SET GLOBAL wsrep_on=ON", "SET GLOBAL read_only=OFF", "STOP SLAVE", "RESET SLAVE ALL"):
            real.do(Move(node, what), 0)
    for node in NODES:
        for what in ("reset", "SET GLOBAL gtid_slave_pos=''"):
            assert real.do(Move(node, what), 0).errno == 0, (node, what)
    for replica, source in (("b1", "a1"), ("a1", "b1")):
        for move in (Move(replica, "point", source), Move(replica, "START SLAVE")):
            assert real.do(move, 0).errno == 0, move
    model = Model(by_gtid=by_gtid)
    model.advance()
    expected = model.state()
    begun = real.settled(expected, limit_s=30)
    assert begun == expected, difference(begun, expected)
    return model, real


def play(model: Model, real: Real, moves: Iterable[Move], label: str, limit_s: float = LIMIT_S) -> None:
    """Every answer and every state is the same."""
    for index, (move, number) in enumerate(zip(moves, _NUMBERS, strict=False)):
        where = f"{label}, move {index}: {move}"
        expected, got = model.do(move, number), real.do(move, number)
        assert got == expected, where
        state = model.state()
        seen = real.settled(state, limit_s)
        if seen != state and model.reconnect_refused(seen):
            state = model.state()
        assert seen == state, f"{where}\n{difference(seen, state)}"


def difference(real: State, model: State) -> str:
    """Which facts differ, a line each."""
    found = []
    for name in NODES:
        for part in type(real[name]).__slots__:
            mine, theirs = getattr(model[name], part), getattr(real[name], part)
            if mine != theirs:
                found.append(f"{name}.{part}: model {mine}, server {theirs}")
    return "\n".join(found)


def is_noticed(model: Model, real: Real, moves: Iterable[Move], within_s: float) -> bool:
    """Whether a wrong model is told from the servers: by an answer, or by a state that stays another for so long."""
    for move, number in zip(moves, _NUMBERS, strict=False):
        if model.do(move, number) != real.do(move, number):
            return True
        state = model.state()
        if real.settled(state, within_s) != state:
            return True
    return False
