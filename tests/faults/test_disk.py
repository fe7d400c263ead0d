"""2a, 2b: a disk is full: the one under the console's database, the one under a node's relay logs."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager

import pytest

from tests.faults.fault import Fault, held_by_console
from tests.faults.stack import filled
from tests.galera.console import Json, refusals
from tests.galera.relocate import CHANGING_STEPS, scene_pair
from tests.support.waiting import wait_for


@pytest.mark.faults("A13")
def test_disk__full_under_the_consoles_database__no_statement_without_an_intent(fault: Fault) -> None:
    """The tmpfs below its MariaDB is filled while the worker sleeps before an intent; then there is room again.

    An intent may still find room within its table's last page: the judges look that no statement is without one.
    Reads go on as long as that server is up: where it has to roll back without room it ends itself (seen, 10.11.19:
    "Out of disk space in rollback"), and does not come up before there is room.
    """
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        sleeper = fault.stopped_at(run_id, f"before-intent:{fault.rng.choice(CHANGING_STEPS)}")
        with fault.stack.full_disk():
            wait_for(lambda: not is_recorded(fault), "the audit record to find no room", pause_s=0.0)
            fault.wake(sleeper, 120)
            reading = fault.console.call("GET", f"/runs/{run_id}")
            assert reading.status == 200 or reading.body["code"] == "console_database_unavailable", reading
        fault.strike()
        wait_for(lambda: fault.console.call("GET", f"/runs/{run_id}").status == 200, "the console to read again", 90)
        run = fault.carried_on(run_id)
        if run["state"] == "needs_operator":
            assert fault.console.call("POST", f"/runs/{run_id}/resume", {"comment": "there is room"}).status < 300
            run = fault.carried_on(run_id)
        fault.succeeded(run)
    fault.judge()


def is_recorded(fault: Fault) -> bool:
    """Whether a call that goes into the audit record still succeeds."""
    answer = fault.console.call("PUT", f"/links/{fault.console.link_id}/automation", {"mode": "off"})
    assert answer.status == 200 or answer.body["code"] == "console_database_unavailable", answer
    return answer.status == 200


@pytest.mark.faults("B19")
def test_replica__no_room_for_its_relay_log__not_known_then_waited_for_or_left(fault: Fault) -> None:
    """Its relay logs' own tmpfs is filled; once there is room again in time, once the node is killed and left.

    The I/O thread waits within the server and looks for room once a minute (seen, 10.11.19). Before that no client is
    told of its channels: SHOW SLAVE STATUS, and then SHOW VARIABLES, are not answered.
    """
    source, replica = fault.pair()
    target = fault.other(replica)
    with fault.stack.relay_logs_apart(target) as disk:
        moved_onto(fault, source, target)
        waited_for(fault, target, filled(disk))
        left(fault, target, filled(disk))
        fault.stack.lab.start(target)
        fault.cleaned_on_return(target)
    fault.judge()


def moved_onto(fault: Fault, source: str, replica: str) -> None:
    """The channels stand on this pair."""
    options = {"source_node": fault.console.node_id(source), "replica_node": fault.console.node_id(replica)}
    wait_for(lambda: fault.console.plan(**options)["state"] == "ready", "the node to be a member again", pause_s=1.0)
    fault.succeeded(fault.console.run_planned("relocate", **options))
    fault.pair_now()


def waited_for(fault: Fault, replica: str, full: AbstractContextManager[None]) -> None:
    """While it is full nothing is known, planned, sent or heaped up there; with room it continues automatically."""
    sent = fault.wires()
    with full:
        not_known(fault, replica)
        assert refusals(fault.console.plan()) == ["unreachable_node_may_run"]
        held = held_by_console(fault, replica)
        time.sleep(25)
        assert held_by_console(fault, replica) <= held + 2, "each look left a connection waiting there"
        not_known(fault, replica)
    fault.strike()
    fault.wait_link(lambda now: now["state"] == "protected", "the server to look for room again", 120)
    assert fault.pair_now()[1] == replica
    assert fault.wires() == sent


def left(fault: Fault, replica: str, full: AbstractContextManager[None]) -> None:
    """What the refusal asks for: fenced, here by its end, it is left for a neighbour."""
    with full:
        not_known(fault, replica)
        fault.kill(replica)
        fault.strike()
        wait_for(lambda: fault.console.plan()["state"] == "ready", "its cluster to expel it", pause_s=1.0)
        run = fault.succeeded(fault.recovered(fault.console.run_planned("relocate")))
    assert scene_pair(run)[1] != replica


def not_known(fault: Fault, replica: str) -> None:
    """The link and the channel say that nothing is known, and of whom."""

    def is_said(link: Json) -> bool:
        forward = next(c for c in link["channels"] if c["direction"] == "forward" and not c["stray"])
        return link["state"] == forward["state"] == "unknown" and replica in forward["error"]

    link = fault.wait_link(is_said, f"{replica} to be said to be silent")
    assert f"{replica} is not responding" in link["sentence"], link["sentence"]
