"""As test_traces, with wsrep_gtid_mode and channels that take their place from gtid_slave_pos."""

from __future__ import annotations

import pytest

from deploy.lab.api import Lab
from tests.conformance.replay import is_noticed, linked_anew, play
from tests.conformance.traces import GTID_KINDS, Move, trace
from tests.core.builders.examples import hunted
from tests.fakes import replication

pytestmark = pytest.mark.server
MOVES = 20


@pytest.mark.parametrize("seed", range(hunted(2, few=2)))
def test_trace__by_gtid_on_the_model_and_on_real_servers__same_answers(gtid_lab: Lab, seed: int) -> None:
    play(*linked_anew(gtid_lab, by_gtid=True), trace(seed, MOVES, GTID_KINDS), f"seed {seed}")


def test_trace__the_model_counts_nothing_as_applied__noticed(gtid_lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: gtid_slave_pos of the replica stands, and on the server it moves."""
    model, real = linked_anew(gtid_lab, by_gtid=True)
    monkeypatch.setattr(replication, "_count", lambda node, gtids: None)
    assert is_noticed(model, real, [Move("a1", "write")], 3.0)
