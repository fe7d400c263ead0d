"""Transactions of the record that meet others: started again, serial by link, never held by a process that sleeps."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.utils import timezone

from backend.audit.models import AuditHead, AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.common.transaction_retry import ATTEMPTS, is_rolled_back, is_unavailable, retry_on_rollback
from backend.monitoring import link_roles
from backend.monitoring.models import LagSample, LinkStatus
from backend.monitoring.recording.links import store_link
from backend.monitoring.times import from_unix
from backend.operations.runs import services
from backend.operations.runs.execution.console import RunConsole
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan
from tests.monitoring.conftest import stored_link
from tests.monitoring.facts import NOW, link
from tests.support.concurrently import meanwhile
from tests.support.console import confirmation, make_user
from tests.support.waiting import wait_for

__all__ = ["stored_link"]

on_a_server = pytest.mark.skipif(connection.vendor != "mysql", reason="a file has one writer and no deadlocks")


def is_waited_for(table: str) -> bool:
    """Whether another session is under way to lock a row of that table."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT info FROM information_schema.processlist WHERE id<>CONNECTION_ID() AND info IS NOT NULL")
        return any(table in sql and "FOR UPDATE" in sql for (sql,) in cursor.fetchall())


@pytest.fixture
def console(emptied: None, plan: Plan) -> RunConsole:
    """The record of a run that this process holds."""
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    store = RunStore(run.id, "w1")
    assert store.claim(60)
    return RunConsole(store, run.link_id)


def swap(console: RunConsole) -> Link:
    """Swap the roles of the run's link; the link as it was."""
    before = Link.objects.get()
    console.set_roles(before.standby_cluster_id, before.active_cluster_id)
    return before


def swaps_told() -> tuple[int, int]:
    """In the audit and in the history."""
    audited = AuditRecord.objects.filter(action="worker:link:roles").count()
    return audited, Event.objects.filter(data__kind="link.roles").count()


@on_a_server
def test_swap_of_roles__deadlock_with_somebody_who_wrote_more__done_once_all_the_same(
    console: RunConsole, caplog: pytest.LogCaptureFixture
) -> None:
    """Seen in a marathon: the monitor wrote a link's channel and then its lag, the run the other way round."""
    one = Link.objects.get()

    def write_a_lot_and_take_what_a_swap_wants_last() -> None:
        for _ in range(30):
            Event.objects.create(type="link.updated", link_id=one.id, data={})
        AuditHead.objects.select_for_update().get(pk=1)

    def take_what_a_swap_has_locked() -> None:
        wait_for(lambda: is_waited_for("audit_audithead"), "the swap to wait for the audit's head", 20, 0.05)
        LagSample.objects.create(link=one, at=timezone.now())

    with meanwhile(write_a_lot_and_take_what_a_swap_wants_last, take_what_a_swap_has_locked):
        before = swap(console)
    assert Link.objects.get().active_cluster_id == before.standby_cluster_id
    assert swaps_told() == (1, 1)
    assert "transaction.retried" in caplog.text


@on_a_server
def test_tick__roles_being_swapped_while_it_looked__waits_and_writes_nothing_of_yesterday(
    emptied: None, stored_link: Link
) -> None:
    facts = {node.node.id: node for node in link().nodes}

    def swap_them() -> None:
        link_roles.set_roles(stored_link.id, stored_link.standby_cluster_id, stored_link.active_cluster_id)

    def until_the_tick_waits() -> None:
        wait_for(lambda: is_waited_for("clusters_link"), "the tick to wait for the link", 20, 0.05)

    with meanwhile(swap_them, until_the_tick_waits), transaction.atomic():
        store_link(stored_link, facts, {}, from_unix(NOW))
    assert not LinkStatus.objects.exists()
    assert not LagSample.objects.exists()


@on_a_server
def test_swap_of_roles__a_process_was_stopped_inside_its_transaction__its_locks_are_let_go(
    console: RunConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stopped monitor is a process like any other that stands still: the server ends its transaction."""
    options = connections.settings["default"]["OPTIONS"]
    monkeypatch.setitem(options, "init_command", f"{options['init_command']}, idle_transaction_timeout=1")
    one = Link.objects.get()
    swapped = threading.Event()

    def go_on_after_the_swap() -> None:
        assert swapped.wait(60)
        Link.objects.count()

    with meanwhile(lambda: link_roles.lock_link(one.pk), go_on_after_the_swap, is_ended=True):
        swap(console)
        swapped.set()
    assert swaps_told() == (1, 1)


def deadlock() -> OperationalError:
    return OperationalError(1213, "Deadlock found when trying to get lock; try restarting transaction")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("failures", [0, 1, ATTEMPTS - 1])
def test_retry_on_rollback__rolled_back__done_again(failures: int) -> None:
    left = [deadlock() for _ in range(failures)]

    @retry_on_rollback
    def work(answer: str) -> str:
        if left:
            raise left.pop()
        return answer

    assert work("done") == "done"
    assert not left


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (deadlock(), ATTEMPTS),
        (OperationalError(1205, "Lock wait timeout exceeded"), ATTEMPTS),
        (OperationalError(2013, "Lost connection to server during query"), 1),  # it may have been committed
        (OperationalError(1114, "The table is full"), 1),
        (ValueError("no"), 1),
    ],
)
def test_retry_on_rollback__other_trouble_or_too_much_of_it__raised(error: Exception, tries: int) -> None:
    tried: list[int] = []

    @retry_on_rollback
    def work() -> None:
        tried.append(1)
        raise error

    with pytest.raises(type(error)):
        work()
    assert len(tried) == tries


@pytest.mark.django_db
def test_retry_on_rollback__inside_another_transaction__left_to_that_one() -> None:
    tried: list[int] = []

    @retry_on_rollback
    def work() -> None:
        tried.append(1)
        raise deadlock()

    with pytest.raises(OperationalError), transaction.atomic():
        work()
    assert tried == [1]


@pytest.mark.parametrize(
    ("error", "is_silent"),
    [
        (deadlock(), True),
        (OperationalError(2006, "Server has gone away"), True),
        (OperationalError(1927, "Connection was killed"), True),
        (OperationalError(1047, "WSREP has not yet prepared node for application use"), True),
        (OperationalError(1180, "Error while appending (provider status: Not connected to Primary Component)"), True),
        (OperationalError(1290, "The server is running with the --read-only option"), True),
        (OperationalError(1114, "The table is full"), False),
        (OperationalError(1054, "Unknown column"), False),
        (OperationalError("no code"), False),
        (ValueError(2006), False),
    ],
)
def test_no_answer__only_what_a_question_after_it_may_not_meet(error: Exception, is_silent: bool) -> None:
    assert is_unavailable(error) is is_silent


@pytest.mark.parametrize(
    ("code", "is_busy"),
    [
        (sqlite3.SQLITE_BUSY, True),
        (sqlite3.SQLITE_BUSY_RECOVERY, True),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, True),
        (sqlite3.SQLITE_FULL, False),
        (sqlite3.SQLITE_IOERR_READ, False),
    ],
)
def test_rolled_back__a_file_that_is_locked__is_too(code: int, is_busy: bool) -> None:
    error, cause = OperationalError("database is locked"), sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = code
    error.__cause__ = cause
    assert is_rolled_back(error) is is_busy
