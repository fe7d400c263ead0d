"""A writer on a real node: says whom it speaks to, what was warned of, and what it does not know."""

from __future__ import annotations

import threading

import pytest

from backend.core.facts.server_identity import server_identity
from backend.core.ports import NodeError
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.polling.parallel import observe_once
from backend.gateway.writer import Writer
from deploy.lab.api import Lab
from tests.gateway.lab import access
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server


@pytest.fixture
def writer(lab: Lab) -> Writer:
    return new_writer(lab)


def new_writer(lab: Lab) -> Writer:
    there = access(lab, "db-a2")
    return Writer(there.ref, there.operator)


def test_identity__real_node__names_server_cluster_and_session(lab: Lab, writer: Writer) -> None:
    identity = writer.identity()
    assert identity["server_id"] == str(lab.node("db-a2").server_id)
    assert int(identity["connection_id"]) > 0


def test_identity__nodes_of_one_machine__told_apart_as_polls_tell_them_and_the_same_after_a_restart(lab: Lab) -> None:
    names = [node.name for node in lab.nodes]
    before = {name: told_by_poll_and_session(lab, name) for name in names}
    assert len(set(before.values())) == len(names)
    lab.stop("db-a2")
    lab.start("db-a2")
    assert told_by_poll_and_session(lab, "db-a2") == before["db-a2"]


def told_by_poll_and_session(lab: Lab, name: str) -> str:
    """Who the node is by its facts, and by a session that would change it: one and the same."""
    there = access(lab, name)
    session = Writer(there.ref, there.operator)
    identities = {server_identity(observe_once(there).variables), server_identity(session.identity())}
    session.close()
    (one,) = identities
    assert one is not None
    return one


def test_execute__nothing_to_stop__note_is_returned(writer: Writer) -> None:
    writer.execute("RESET SLAVE ALL", secrets={}, timeout_s=5)
    assert [text[:10] for text in writer.execute("STOP SLAVE", secrets={}, timeout_s=5)] == ["Note 1255:"]


def test_execute__statement_no_run_sends__nothing_is_sent(writer: Writer) -> None:
    with pytest.raises(NotAllowedError):
        writer.execute("DROP DATABASE bank", secrets={}, timeout_s=5)


def test_execute__server_quotes_the_secret__masked(writer: Writer) -> None:
    broken = "CHANGE MASTER TO MASTER_PASSWORD='{{secret:replication}}' NONSENSE"
    with pytest.raises(NodeError) as error:
        writer.execute(broken, secrets={"replication": "NONSENSE"}, timeout_s=5)
    assert "NONSENSE" not in error.value.message
    assert error.value.code == 1064
    assert not error.value.indeterminate


def test_execute__unknown_secret__nothing_is_sent(writer: Writer) -> None:
    with pytest.raises(NotAllowedError):
        writer.execute("CHANGE MASTER TO MASTER_PASSWORD='{{secret:other}}'", secrets={}, timeout_s=5)


def test_execute__session_killed__outcome_unknown_and_never_reconnects(lab: Lab, writer: Writer) -> None:
    lab.sql("db-a2", f"KILL {writer.identity()['connection_id']}")
    for _ in range(2):
        with pytest.raises(NodeError) as error:
            writer.execute("STOP SLAVE", secrets={}, timeout_s=5)
        assert error.value.indeterminate


def test_execute__frozen_server__outcome_unknown_within_the_limit(lab: Lab, writer: Writer) -> None:
    lab.freeze("db-a2")
    try:
        with pytest.raises(NodeError, match=r"no response within 0\.5 s") as error:
            writer.execute("STOP SLAVE", secrets={}, timeout_s=0.5)
        assert error.value.indeterminate
    finally:
        lab.thaw("db-a2")


def test_kill_session__predecessor__ended_and_its_next_statement_fails(lab: Lab, writer: Writer) -> None:
    before = new_writer(lab)
    assert writer.kill_session(int(before.identity()["connection_id"]))
    with pytest.raises(NodeError):
        before.execute("STOP SLAVE", secrets={}, timeout_s=5)


def test_kill_session__busy_predecessor__waits_until_it_ended(lab: Lab, writer: Writer) -> None:
    before = new_writer(lab)
    number = int(before.identity()["connection_id"])

    def sleep() -> None:
        with pytest.raises(NodeError):
            before.query("SELECT SLEEP(20) AS x")

    busy = threading.Thread(target=sleep)
    busy.start()
    asleep = f"SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = {number} AND INFO LIKE 'SELECT SLEEP%'"
    wait_for(lambda: lab.sql("db-a2", asleep), "the session to be busy")
    assert writer.kill_session(number)
    busy.join(15)  # it sleeps for longer
    assert not busy.is_alive()


def test_kill_session__number_of_nobody__counts_as_ended(writer: Writer) -> None:
    assert writer.kill_session(2**31 - 7)


def test_kill_session__another_account_has_the_number__counts_as_ended_and_is_left_alone(
    lab: Lab, writer: Writer
) -> None:
    there = access(lab, "db-a2")
    other = Writer(there.ref, there.monitor)
    assert writer.kill_session(int(other.identity()["connection_id"]))
    assert other.identity()["server_id"] == writer.identity()["server_id"]
