"""A session number that a restarted server gave to another session: ours has ended, and a takeover continues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.db import connection

from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.writer import Writer
from backend.operations.runs import services
from backend.operations.runs.execution.driver import Driver
from backend.operations.runs.execution.store import RunStore
from tests.support.console import confirmation, make_link, make_user, store_plan

pytestmark = pytest.mark.skipif(connection.vendor != "mysql", reason="a file has no sessions")
CONSOLE = str(connection.settings_dict["USER"])
"""Sees the sessions of all accounts, as a node's operator does."""
MADE = ("ops@site", "other")


@pytest.fixture
def session(emptied: None) -> Iterator[Callable[[str], Writer]]:
    """Sessions of several accounts on the console's own server, which stands for a node."""
    given = connection.settings_dict
    opened: list[Writer] = []

    def open_as(user: str) -> Writer:
        node = NodeRef("n_b", "b", given["HOST"], int(given["PORT"]), "c_b")
        password = given["PASSWORD"] if user == CONSOLE else "x"
        opened.append(Writer(node, NodeEndpoint(node.host, node.port, user, password)))
        return opened[-1]

    with connection.cursor() as cursor:
        for user in MADE:
            cursor.execute("CREATE OR REPLACE USER %s@'%%' IDENTIFIED BY 'x'", [user])
    yield open_as
    for one in opened:
        one.close()
    with connection.cursor() as cursor:
        for user in MADE:
            cursor.execute("DROP USER %s@'%%'", [user])


@dataclass
class Gateway:
    """Opens changing sessions on the one node."""

    open_writer: Callable[[], Writer]

    def writer(self, node_id: str) -> Writer:
        assert node_id == "n_b"
        return self.open_writer()


def number(writer: Writer) -> int:
    """The server's of it."""
    return int(str(writer.query("SELECT CONNECTION_ID() AS id")[0]["id"]))


def test_kill__number_of_another_account__ended_and_that_session_is_left_alone(
    session: Callable[[str], Writer],
) -> None:
    other = session("other")
    assert session(CONSOLE).kill_session(number(other))
    assert other.query("SELECT 1 AS one")[0]["one"] == 1


@pytest.mark.parametrize("user", [CONSOLE, "ops@site"])
def test_kill__own_account_also_with_an_at_in_its_name__really_ended(
    session: Callable[[str], Writer], user: str
) -> None:
    before, now = session(user), session(user)
    old = number(before)
    assert now.kill_session(old)
    living = now.query(f"SELECT ID AS id FROM information_schema.PROCESSLIST WHERE ID = {old}")
    assert list(living) == []


def test_takeover__the_number_is_somebody_elses_now__goes_on(session: Callable[[str], Writer]) -> None:
    make_user("nora", "operator")
    plan = store_plan(make_link())
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    store = RunStore(run.pk, "w1")
    assert store.claim(30)
    store.intent(0, node_id="n_b", node="b", sql="STOP SLAVE", connection_id=number(session("other")))
    gateway = Gateway(lambda: session(CONSOLE))
    assert Driver(store, store.run())._kill_predecessor_sessions(gateway)  # type: ignore[arg-type]
    assert store.run().state == "running"
