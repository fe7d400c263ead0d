"""2b: between console and nodes, and between the sites: cut, slow, half-open, one way, swapped, stripped."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.faults.fault import Fault
from tests.faults.parts.control import client_ports
from tests.galera.automation import allow, call
from tests.galera.console import Json, refusals, sentences
from tests.galera.relocate import scene_pair
from tests.support.waiting import patience, wait_for

SITE_A, SITE_B = ("db-a1", "db-a2", "db-a3"), ("db-b1", "db-b2", "db-b3")
NOT_LOOKED = "The link has not been observed yet."
POINT = 7
"""Step of a planned move whose statement is a CHANGE MASTER."""


@pytest.mark.quick
@pytest.mark.faults("B24")
def test_statement__connection_reset_once_its_bytes_arrived__observed_never_sent_again(fault: Fault) -> None:
    """The server got the statement, the worker got no answer: it looks over a new connection, and decides."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        sleeper = fault.stopped_at(run_id, f"after-intent:{fault.rng.choice((1, 2, 5, 7, 9))}")
        assert fault.stack.chaos.cut_after_next(*fault.nodes(), ports=client_ports(sleeper.pid))
        fault.wake(sleeper, 90)
        fault.succeeded(fault.carried_on(run_id))
    states = [s["state"] for step in fault.run_of(run_id)["steps"] for s in step["statements"]]
    assert "indeterminate" in states or "observed" in states, states
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("B5")
def test_console__cut_from_the_active_site_only__says_so_and_promotes_nobody(fault: Fault) -> None:
    """The standby still hears the active side: a console that is blind proves nothing."""
    with fault.stack.chaos.during(*SITE_A, kind="tls", stall_up=True, stall_down=True):
        fault.stack.chaos.reset(*SITE_A, kind="tls")
        wait_for(lambda: all(fault.reach(name) != "up" for name in SITE_A), "the console to be blind")
        link = fault.console.link()
        planned = fault.console.plan("switchover")
        lost = fault.console.plan("failover", accept_loss=True)
    assert planned["state"] == lost["state"] == "refused"
    assert link["state"] in ("unknown", "broken"), link["sentence"]
    assert "unknown" in link["sentence"] or "is reachable from the console" in link["sentence"], link["sentence"]
    fault.silent()
    wait_for(lambda: fault.console.link()["state"] == "protected", "the console to see again")
    fault.judge()


@pytest.mark.faults("B6", "B19", "C21")
def test_channel__silent_while_its_threads_say_yes__shown_as_not_protected(fault: Fault) -> None:
    """Bytes between the sites vanish: both flags stay Yes and the lag 0, but nothing arrives."""
    with fault.stack.chaos.during(*SITE_A, *SITE_B, kind="clear", lose_down=True, lose_up=True):
        fault.wait_link(lambda now: now["state"] != "protected", "the silent channel to be noticed")
        plan = fault.console.plan("failover", accept_loss=True)
        assert plan["state"] == "refused", "both sides live: nothing to fail over"
    fault.stack.chaos.reset(*SITE_A, *SITE_B, kind="clear")
    fault.silent()
    fault.wait_link(lambda now: now["state"] == "protected", "the channels to run again", 90)
    fault.judge()


@contextmanager
def moved_by_nobody(fault: Fault) -> Iterator[Callable[[], str]]:
    """The link may move automatically after five seconds of a loss, and has not; gives what keeps it from that."""
    allow(fault, "execute")
    before = acts(fault)
    try:
        yield lambda: str(call(fault, "GET", "automation")["reason"])
        assert acts(fault) == before
    finally:
        call(fault, "PUT", "automation", {"mode": "off"})


def acts(fault: Fault) -> tuple[Json | None, list[str]]:
    """What the automation did last, and the newest run of anybody."""
    newest = fault.console.get("/runs?limit=1")["results"]
    return call(fault, "GET", "automation")["last_action"], [str(run["id"]) for run in newest]


@pytest.mark.faults("B7")
def test_one_way_loss__toggled__no_act_and_no_harm(fault: Fault) -> None:
    """Answers of the active side's nodes vanish for five seconds in ten, thrice; the link may move automatically."""
    reasons = set()
    with moved_by_nobody(fault) as why_not:
        for _ in range(3):
            with fault.stack.chaos.during(*SITE_A, kind="tls", lose_down=True):
                time.sleep(5)
                reasons.add(why_not())
            time.sleep(5)
            reasons.add(why_not())
    assert reasons - {NOT_LOOKED}, "the automation never looked: that it did not act says nothing"
    fault.strike()
    fault.silent()
    fault.wait_link(lambda now: now["state"] == "protected", "the console to see again")
    fault.judge()


@pytest.mark.faults("B3")
def test_bystander__silent_for_one_look__run_looks_again_and_goes_on(fault: Fault) -> None:
    """Three seconds without a byte of one node, just as the run compares the facts again: no reason to end it."""
    with fault.stack.paused("worker"):
        plan = fault.ready(**fault.other_pair())
        bystander = fault.other(fault.pair()[0], than=(plan["target"]["source_name"],))
        run_id = fault.start(plan)
        sleeper = fault.stopped_at(run_id, "step-start:0")
        with fault.stack.chaos.during(bystander, kind="tls", stall_up=True, stall_down=True):
            sleeper.send_signal(signal.SIGCONT)
            time.sleep(3.0)
        sleeper.wait(timeout=90)
        run = fault.succeeded(fault.carried_on(run_id))
    assert run["steps"][0]["state"] == "succeeded"
    fault.judge()


@pytest.mark.faults("B8")
def test_cut_of_43_seconds__between_the_sites_and_to_one__no_switch_at_all(fault: Fault) -> None:
    """The shape of a well-known incident: nothing switches, though it might, and the data are whole afterwards."""
    pair = fault.pair()
    cut, chaos = {"stall_up": True, "stall_down": True}, fault.stack.chaos
    with (
        moved_by_nobody(fault) as why_not,
        chaos.during(*SITE_B, kind="clear", **cut),
        chaos.during(*SITE_A, **cut),
    ):
        wait_for(lambda: why_not().startswith("On hold because"), "the cut to count as an unknown")
        time.sleep(43)
        cut_off = fault.console.link()
        assert cut_off["state"] != "protected", cut_off["sentence"]
        ends = [channel["replica_name"] for channel in cut_off["channels"]]
        heard = [name for name in ends if fault.sql(name, "SHOW SLAVE STATUS")[0]["Slave_IO_Running"] == "Yes"]
        assert not heard, f"the channels of {heard} went on through the cut"
    fault.strike()
    fault.silent()
    fault.wait_link(lambda now: now["state"] == "protected", "the link to be protected again", 90)
    assert fault.pair() == pair
    fault.judge()


@pytest.mark.faults("B9")
def test_latency_of_200_ms_between_the_sites__relocate__succeeds(fault: Fault) -> None:
    """The console stands at the active side: the channels and its own way to the other side are slow."""
    slow = {"delay_up_s": 0.1, "delay_down_s": 0.1}
    fault.stack.chaos.set_behaviour(*SITE_A, kind="clear", **slow)
    fault.stack.chaos.set_behaviour(*SITE_B, kind="clear", **slow)
    fault.stack.chaos.set_behaviour(*SITE_B, kind="tls", **slow)
    fault.strike()
    fault.succeeded(fault.ended(fault.start(fault.ready(**fault.other_pair())), 180))
    fault.stack.chaos.heal()
    fault.judge()


@pytest.mark.faults("B9")
def test_channel__throttled__relocate_waits_for_what_is_under_way(fault: Fault) -> None:
    """200 kB a second between the sites: the continuity check waits until it has arrived."""
    with fault.stack.chaos.during(*SITE_A, *SITE_B, kind="clear", bytes_per_s=200_000.0):
        run = fault.ended(fault.start(fault.ready(**fault.other_pair())), 180)
        fault.succeeded(run)
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("B22")
def test_address__leads_to_another_server_by_now__nothing_is_sent_there(fault: Fault) -> None:
    """The proxy's back ends are swapped while the worker sleeps before the statement."""
    options = fault.other_pair()
    with fault.stack.paused("worker"):
        plan = fault.ready(**options)
        run_id = fault.start(plan)
        sleeper = fault.stopped_at(run_id, "step-start:1")
        victim = plan["steps"][1]["node"]
        wrong = fault.stack.lab.node(fault.other(victim))
        right = fault.stack.lab.node(victim)
        fault.stack.chaos.lead_to(victim, wrong.host, wrong.port)
        fault.stack.chaos.reset(victim, kind="tls")  # a channel would go on at the wrong server, as servers do
        fault.wake(sleeper, 90)
        fault.stack.chaos.lead_to(victim, right.host, right.port)
        fault.stack.chaos.reset(victim, kind="tls")
        run = fault.took_back(fault.carried_on(run_id))
    assert any(word in run["outcome"] for word in ("server_id", "certificate")), run["outcome"]
    fault.silent()
    fault.judge()


@pytest.mark.faults("B23")
def test_server__greets_as_another_product__its_own_variables_count_and_nothing_is_sent(fault: Fault) -> None:
    """A greeting that lies changes no dialect: a plan is made and run by what the server says once TLS stands."""
    source, replica = fault.pair()
    target = fault.other(source)
    with fault.stack.chaos.during(target, kind="tls", version="8.4.2"):
        fault.stack.chaos.reset(target, kind="tls")
        wait_for(lambda: fault.reach(target) == "up", "the server to be seen again")
        seen = fault.console.get(f"/nodes/{fault.console.node_id(target)}")
        assert (seen["flavor"], seen["version"][:6]) == ("mariadb", "10.11."), seen
        fault.strike()
        run = fault.succeeded(fault.ended(fault.start(fault.ready(source_node=fault.console.node_id(target)))))
    fault.stack.chaos.reset(target, kind="tls")
    assert scene_pair(run) == (target, replica)
    other = [sent.plain for sent in fault.wires() if " REPLICA" in sent.plain]
    assert not other, "spoken to as to another product"
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("D13")
def test_tls__stripped_on_the_way__refused_before_a_password_leaves(fault: Fault) -> None:
    """The way in between takes the offer of TLS out of the greeting."""
    target = fault.other(fault.pair()[0])
    with fault.stack.chaos.during(target, kind="tls", strip_tls=True):
        fault.stack.chaos.reset(target, kind="tls")
        wait_for(lambda: fault.reach(target) == "refused", "the stripped server to be refused")
        plan = fault.console.plan(source_node=fault.console.node_id(target))
    assert plan["state"] == "refused"
    assert "TLS" in sentences(plan), sentences(plan)
    fault.silent()
    wait_for(lambda: fault.reach(target) == "up", "the server to be seen again")
    fault.judge()


@pytest.mark.faults("B3", "A19")
def test_node__half_open__hung_not_down_and_nobody_else_is_late(fault: Fault) -> None:
    """Connections stand and nothing returns: distinguished from a dead server; the others stay fresh."""
    target = fault.other(fault.pair()[0])
    with fault.stack.chaos.during(target, stall_up=True, stall_down=True):
        wait_for(lambda: fault.reach(target) == "hung", "the hung node to be seen")
        ages = [fault.console.get(f"/nodes/{fault.console.node_id(n)}")["age_s"] for n in fault.nodes() if n != target]
        assert max(ages) < 10 * patience(), ages
        plan = fault.console.plan(source_node=fault.console.node_id(target))
        assert "node_unreachable" in refusals(plan) or plan["state"] == "refused"
    fault.silent()
    wait_for(lambda: fault.reach(target) == "up", "the node to be seen again")
    fault.judge()
