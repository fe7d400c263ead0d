"""Polling real nodes: facts, and what a silent, closed or refusing one is called."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest

from backend.core.facts.serialization import node_from_json, node_to_json
from backend.core.topology import Reach
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.connection.errors import LostError
from backend.gateway.connection.session import Session
from backend.gateway.polling.parallel import SessionPool, observe_all, observe_once
from backend.gateway.polling.poll import poll_node
from backend.gateway.polling.pollers import Polled, PollerSet
from deploy.lab.api import Lab
from tests.gateway.lab import access, endpoint
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
NAMES = ("db-a1", "db-a2", "db-b1")


def test_observe_once__healthy_link_node__everything_is_known(lab: Lab) -> None:
    facts = observe_once(access(lab, "db-b1"))

    assert facts.reach is Reach.UP
    assert facts.flavor == "mariadb"
    assert facts.wsrep is not None
    assert facts.wsrep.cluster_status == "Primary"
    assert facts.channels is not None
    assert len(facts.channels) == 1
    assert facts.binlog is not None
    assert facts.binlog.first_file is not None
    assert facts.clock_offset_s is not None
    assert abs(facts.clock_offset_s) < 60, "it is the clock of this machine"
    assert node_from_json(json.loads(json.dumps(node_to_json(facts)))) == facts


def test_observe_once__wrong_password__refused_with_the_reason(lab: Lab) -> None:
    there = access(lab, "db-a1")
    facts = observe_once(replace(there, monitor=endpoint(lab, "db-a1", "monitor", password="wrong")))
    assert facts.reach is Reach.REFUSED
    assert "credentials refused" in facts.error


def connection_id(sessions: SessionPool, there: NodeAccess) -> int | None:
    """The server's number of the session kept for that node."""
    with sessions.one(there) as session:
        return session.connection_id


def test_observe_once__session_kept_then_killed__one_for_all_polls_and_a_new_one_after_the_kill(lab: Lab) -> None:
    sessions, there = SessionPool(), access(lab, "db-b1")
    assert observe_once(there, sessions).reach is Reach.UP
    first = connection_id(sessions, there)
    assert first is not None
    assert observe_once(there, sessions).reach is Reach.UP
    assert connection_id(sessions, there) == first
    lab.sql("db-b1", f"KILL {first}")
    assert observe_once(there, sessions).reach is Reach.UP
    assert connection_id(sessions, there) not in (first, None)
    sessions.close()
    assert connection_id(sessions, there) is None, "nothing is kept after the end"


def test_poll__all_queries_together__the_facts_that_they_tell_one_by_one(lab: Lab) -> None:
    there = access(lab, "db-b1")
    alone = Session(there.ref.name, there.monitor, read_only=True)
    together = Session(there.ref.name, there.monitor, read_only=True, joins=True)
    one, other = (poll_node(session, there.ref) for session in (alone, together))
    assert (one.variables, one.channels, one.binlog) == (other.variables, other.channels, other.binlog)
    assert (one.flavor, one.version, one.server_id) == (other.flavor, other.version, other.server_id)
    assert other.probe_ms is not None
    assert abs((one.clock_offset_s or 0) - (other.clock_offset_s or 0)) < 0.2
    alone.close()
    together.close()


def test_statements_sent_together__second_refused__the_first_is_answered_and_the_session_lives(lab: Lab) -> None:
    there = access(lab, "db-b1")
    session = Session(there.ref.name, there.monitor, read_only=True, joins=True)
    asked = ["SELECT 1 AS one", "SELECT none FROM hawser.no_such_table", "SELECT 3 AS three"]
    assert session.run_joined(asked, timeout_s=2) == [[{"one": 1}]]
    assert session.run("SELECT 4 AS four") == [{"four": 4}]
    session.close()


def test_statements_sent_together__second_has_no_result_in_time__told_apart_from_a_lost_connection(lab: Lab) -> None:
    there = access(lab, "db-b1")
    session = Session(there.ref.name, there.monitor, read_only=True, read_s=1, joins=True)
    assert session.run_joined(["SELECT 1 AS one", "SELECT SLEEP(9) AS s"], timeout_s=1) == [[{"one": 1}]]
    assert not session.is_open
    assert session.left_behind is not None
    assert session.left_behind[1] == "SELECT SLEEP(9) AS s"
    number = session.run("SELECT CONNECTION_ID() AS id")[0]["id"]
    killer = threading.Timer(0.3, lambda: lab.sql("db-b1", f"KILL {number}"))
    killer.start()
    with pytest.raises(LostError) as lost:
        session.run_joined(["SELECT 1 AS one", "SELECT SLEEP(9) AS s"], timeout_s=1)
    assert not lost.value.timed_out
    killer.join()


def test_kept_sessions__one_in_use__the_next_poll_gets_another(lab: Lab) -> None:
    sessions, there = SessionPool(), access(lab, "db-b1")
    with sessions.one(there) as busy, sessions.one(there) as other:
        assert busy is not other
    sessions.close()


def test_poll_set__frozen_node__delays_nobody_and_is_called_hung(lab: Lab) -> None:
    polls = PollerSet()
    polls.set_nodes([access(lab, name) for name in NAMES])
    polls.tick(2.0)
    lab.freeze("db-b1")
    try:
        looks = [polls.tick(0.1)]

        def is_hung() -> bool:
            looks.append(polls.tick(0.5))
            return looks[-1]["db-b1"].facts.reach is Reach.HUNG

        wait_for(is_hung, "the frozen node to be called hung", 8, 0.3)
        assert len({look["db-a1"].facts.observed_at_s for look in looks}) > 2, "the others were seen again and again"
    finally:
        lab.thaw("db-b1")
        polls.close()


def test_observe_all__frozen_node__hung_within_the_deadline(lab: Lab) -> None:
    lab.freeze("db-b1")
    try:
        seen = observe_all([access(lab, name) for name in NAMES])
        assert [seen[name].reach for name in NAMES] == [Reach.UP, Reach.UP, Reach.HUNG]
    finally:
        lab.thaw("db-b1")


def test_poll_set__writes_on_the_source__exact_samples_and_a_counted_gap(lab: Lab) -> None:
    polls = PollerSet()
    polls.set_nodes([access(lab, name) for name in NAMES])
    polls.tick(2.0)
    lab.sql("db-b1", "STOP SLAVE SQL_THREAD")
    try:
        for _ in range(5):
            lab.sql("db-a1", "INSERT INTO bank.gateway_rows VALUES (NULL)") if _ else lab.sql(
                "db-a1", "CREATE TABLE IF NOT EXISTS bank.gateway_rows (id INT AUTO_INCREMENT PRIMARY KEY)"
            )
        seen = _until_the_twin_has_it_too(polls)
        (channel,) = seen["db-b1"].facts.channels or ()
        executed = channel.exec_position
        assert executed is not None
        own = {lab.node("db-b1").server_id}
        assert seen["db-a1"].tail.gap_after(executed, own) == 5
        sample, twin = seen["db-a1"].sample, seen["db-a2"].sample
        assert sample is not None
        assert sample.exact
        assert twin is not None
        assert (twin.seqno, twin.exact) == (sample.seqno, True)
    finally:
        lab.sql("db-b1", "START SLAVE SQL_THREAD")
        polls.close()


def _until_the_twin_has_it_too(polls: PollerSet) -> dict[str, Polled]:
    """Galera applies a little later on the neighbour: ask until both nodes of site A name the same group."""

    def alike() -> dict[str, Polled] | None:
        seen = polls.tick(2.0)
        samples = [seen[name].sample for name in ("db-a1", "db-a2")]
        return seen if len({(s.seqno, s.exact) if s else None for s in samples}) == 1 else None

    found = wait_for(alike, "both nodes to name the same group")
    assert found is not None
    return found
