"""Refusals of switchover, failover, failback and reprotect on real servers: a reason, and not one statement sent."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import MySQLdb

from tests.galera.console import Json, assert_refused, refusals, sentences
from tests.galera.scene import Scene
from tests.support.waiting import wait_for


def active_nodes(scene: Scene) -> list[str]:
    """Names of the nodes of the side that accepts writes."""
    return [node["name"] for node in scene.console.link()["clusters"]["active"]["nodes"]]


def planned_until(scene: Scene, kind: str, code: str, **options: object) -> Json:
    """The plan once it names that reason: what a node does is seen a moment later."""

    def ask() -> Json | None:
        plan: Json = scene.console.plan(kind, **options)
        return plan if code in refusals(plan) else None

    found: Json = wait_for(ask, f"{code} to be named", 90, pause_s=0.5)
    return found


@contextlib.contextmanager
def busy(scene: Scene, name: str, statement: str) -> Iterator[None]:
    """A session of an administrator that runs a statement for as long as the block lasts; it is ended then."""
    with scene.stack.lab.admin(name, 120) as connection:
        session = connection.thread_id()  # afterwards the connection belongs to the thread

        def run() -> None:
            with contextlib.suppress(MySQLdb.Error), contextlib.closing(connection.cursor()) as cursor:
                cursor.execute(statement)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield
        finally:
            scene.sql(name, f"KILL {session}")
            thread.join(30)
            assert not thread.is_alive()


def test_switchover__transaction_open_for_long__refused_by_account_and_age(silent: Scene) -> None:
    """Its commit would fail behind the fence."""
    name = active_nodes(silent)[0]
    with silent.stack.lab.admin(name, 60) as connection, contextlib.closing(connection.cursor()) as cursor:
        cursor.execute("START TRANSACTION")
        cursor.execute("INSERT INTO bank.markers VALUES (REPEAT('f', 32), 'x')")
        plan = planned_until(silent, "switchover", "long_transaction")
        allowed = silent.console.plan("switchover", allow_long_transactions=True)
        connection.rollback()
    assert_refused(plan, "long_transaction", name, "commit will fail")
    assert "long_transaction" not in refusals(allowed)


def test_switchover__ddl_in_flight__refused_with_its_text(silent: Scene) -> None:
    """The fence would wait for it with writes paused."""
    name = active_nodes(silent)[0]
    with busy(silent, name, "CREATE TABLE bank.slow_copy AS SELECT SLEEP(60) AS waited"):
        plan = planned_until(silent, "switchover", "ddl_in_flight")
    assert_refused(plan, "ddl_in_flight", name, "slow_copy")
    silent.sql(name, "DROP TABLE IF EXISTS bank.slow_copy")


def test_switchover__channel_stands__refused(silent: Scene) -> None:
    """The new active side would be unprotected."""
    _, replica = silent.pair()
    silent.sql(replica, "STOP SLAVE SQL_THREAD")
    plan = planned_until(silent, "switchover", "channel_not_running")
    silent.sql(replica, "START SLAVE SQL_THREAD")
    assert_refused(plan, "channel_not_running", "SQL No")


def test_switchover__standby_too_far_behind__refused(silent: Scene) -> None:
    """Writes would be paused for as long as the backlog takes."""
    _, replica = silent.pair()
    for statement in ("STOP SLAVE", "CHANGE MASTER TO MASTER_DELAY=120", "START SLAVE"):
        silent.sql(replica, statement)
    try:
        plan = planned_until(silent, "switchover", "lag_too_long")
    finally:
        for statement in ("STOP SLAVE", "CHANGE MASTER TO MASTER_DELAY=0", "START SLAVE"):
            silent.sql(replica, statement)
    assert_refused(plan, "lag_too_long", "s or less")


def test_switchover__node_hangs__refused_until_attested(silent: Scene) -> None:
    """A hung node may accept writes again the moment it wakes; it is expelled, or a person answers for it."""
    source, _ = silent.pair()
    bystander = silent.other(source)
    silent.stack.lab.freeze(bystander)
    wait_for(lambda: silent.reach(bystander) == "hung", "the hung node to be seen")
    plan = silent.console.plan("switchover")
    codes = {finding["code"] for finding in plan["findings"]}
    silent.stack.lab.thaw(bystander)
    assert codes & {"node_cannot_be_fenced", "node_down_unfenced"}, sentences(plan)


def test_switchover__rejecting_queries_without_the_right__refused_with_the_privilege(silent: Scene) -> None:
    """The operator account of the lab has no SUPER."""
    assert_refused(silent.console.plan("switchover", reject_queries=True), "reject_queries_privilege_missing", "SUPER")


def test_failback__at_home__refused(silent: Scene) -> None:
    """There is nowhere to go back to."""
    assert_refused(silent.console.plan("failback"), "already_home")


def test_reprotect__nothing_was_lost__refused(silent: Scene) -> None:
    """No failover is on record."""
    assert_refused(silent.console.plan("reprotect"), "nothing_to_reprotect")


def test_failover__active_site_lives__refused_and_a_switchover_named(silent: Scene) -> None:
    """It would lose what a switchover carries over."""
    assert_refused(silent.console.plan("failover", accept_loss=True), "active_site_lives", "its channel is connected")


def test_failover__sites_cut_from_each_other__told_apart_from_a_lost_site(silent: Scene) -> None:
    """Both sides live: no failover is offered, a plan needs the explicit override."""
    silent.stack.lab.cut("a-b")
    try:
        link = silent.wait_link(lambda now: now["state"] == "broken", "the cut to show")
        refused = silent.console.plan("failover", accept_loss=True)
        overridden = silent.console.plan("failover", accept_loss=True, override_partition=True)
    finally:
        silent.stack.lab.heal()
    assert (link["primary_action"] or {}).get("kind") != "failover", link["primary_action"]
    assert_refused(refused, "sites_are_parted", "network partition, not a site loss")
    assert "partition_overridden" in {finding["code"] for finding in overridden["findings"]}
    assert overridden["state"] == "ready", sentences(overridden)
    silent.wait_link(lambda now: now["state"] == "protected", "the link to return automatically")
