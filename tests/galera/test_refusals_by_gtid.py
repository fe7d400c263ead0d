"""Releases whose nodes do not share what a move by GTID is proven with: refused, and nothing is lost.

On 10.5 `gtid_slave_pos` of the nodes beside the channel's holder stays empty, and a transaction's GTID does not occur
in each node's log.
"""

from __future__ import annotations

import pytest

from tests.galera.console import refusals, sentences
from tests.galera.scene import Scene

SERVER = "mariadb-10.5"
VARIANT = "gtid"
pytestmark = pytest.mark.whole


def test_plan__planned_move_by_gtid__refused_for_the_neighbours(silent: Scene) -> None:
    """Both nodes live: what their neighbours report disagrees."""
    source, replica = silent.pair()
    peers = {
        "source_node": silent.console.node_id(silent.other(source)),
        "replica_node": silent.console.node_id(silent.other(replica)),
    }
    _assert_not_proven(silent, peers)


@pytest.mark.parametrize("lost", ["source", "replica"])
def test_plan__node_lost_by_gtid__refused_for_the_neighbours(silent: Scene, lost: str) -> None:
    """A node is lost: the survivors do not know where the other side stands.

    The lab is not used again: a holder that was killed may resume before what its cluster has applied, and stop with
    a duplicate key (seen in one run of three; docs/reference/compatibility.md).
    """
    source, replica = silent.pair()
    silent.kill(source if lost == "source" else replica)
    _assert_not_proven(silent, {})
    silent.stack.is_given_up = True


def _assert_not_proven(scene: Scene, options: dict[str, str]) -> None:
    plan = scene.console.plan(**options)
    assert plan["state"] == "refused"
    assert set(refusals(plan)) & {"gtid_slave_pos_differs", "position_not_proven"}, refusals(plan)
    assert plan["steps"] == []
    assert "gtid_slave_pos" in sentences(plan) or "does not occur" in sentences(plan), sentences(plan)
