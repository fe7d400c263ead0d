"""Each part is killed, frozen and cut off while a link is moved and calls come; no move fails and no call is lost."""

from __future__ import annotations

import os
import time
from datetime import datetime
from typing import Any

import pytest

from tests.galera.stack import wait_for
from tests.ha.client import Attempted, Client, RetryingConsole
from tests.ha.events import Follower, missed
from tests.ha.load import Load, lost, summary
from tests.ha.moves import Mover
from tests.ha.stack import HaStack
from tests.ha.targets import HARMS, TARGETS, busy_worker, restore, strike

RATE = float(os.environ.get("HAWSER_HA_RATE", "200"))
"""Calls a second; two cores that also carry nine database nodes answer fewer."""
LASTS_S = {"kill": 10.0, "freeze": 30.0, "cut": 30.0}
STREAM_GAP_S = 60.0
"""A stream on a part that freezes is found silent after 25 s, and so may be the next one."""


@pytest.fixture
def console(whole: HaStack) -> RetryingConsole:
    """Every part up, the link protected."""
    caller = RetryingConsole("", whole.token, whole.link_id, client=whole.client())
    wait_for(lambda: caller.call("GET", "/readyz").body.get("status") == "ready", 120, "all parts to be ready", 0.5)
    wait_for(lambda: caller.link()["state"] == "protected", 120, "the link to be protected", 0.5)
    return caller


@pytest.fixture
def calls(whole: HaStack, console: RetryingConsole) -> Load:
    """The load, not yet running."""
    client = whole.client()
    link = console.link_id
    paths = [f"/links/{link}", "/links", "/runs", "/session", "/healthz", f"/links/{link}/history", "/roles"]
    return Load(client, paths, lambda _: planned(client, link), RATE, create_every=200)


def planned(client: Client, link: str) -> None:
    """A plan of the load; a run under way or a node that moves may refuse it, and that is an answer, too."""
    client.call("POST", f"/links/{link}/plans", {"kind": "relocate", "reason": "load", "options": {}})


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("target", TARGETS)
def test_part__struck_while_a_link_is_moved__moves_verified_and_every_call_answered(
    whole: HaStack, console: RetryingConsole, calls: Load, figures: dict[str, Any], target: str, harm: str
) -> None:
    mover, follower = Mover(console), Follower(whole.client()).start()
    began = time.monotonic()
    with calls.running(), mover.running():
        busy_worker(mover)
        found = TARGETS[target](whole, mover)
        moved = len(mover.runs)
        strike(found, harm)
        time.sleep(LASTS_S[harm])
        restore(found, harm)
        wait_for(lambda: mover.error or len(mover.runs) >= moved + 2, 300, "two moves to end after the strike")
        time.sleep(2)
    seconds = time.monotonic() - began
    follower.stop()
    figures[f"{target}, {harm}"] = summary(calls.client.calls, seconds) | {
        "moves": len(mover.runs),
        "longest_move_s": max(took_s(run) for run in mover.runs),
        "stream_gap_s": round(follower.longest_gap_s, 1),
        "stream_connects": follower.connects,
    }
    assert not mover.unverified(), mover.unverified()
    assert not unanswered(calls.client.calls), unanswered(calls.client.calls)
    assert missed(follower.ids, whole) == []
    assert follower.longest_gap_s < STREAM_GAP_S
    figures["writes"] = whole.judge().acknowledged


def unanswered(made: list[Attempted]) -> list[Attempted]:
    """Calls of the load without an answer to what was asked."""
    return [call for call in lost(made) if call.status != 409]


def took_s(run: dict[str, Any]) -> float:
    """From its request to its end."""
    taken = datetime.fromisoformat(run["ended_at"]) - datetime.fromisoformat(run["created_at"])
    return round(taken.total_seconds(), 1)
