"""A driver whose connection to the console's own database is cut: it lets go, and a successor goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from backend.core.plan import Step
from backend.operations.runs import services
from backend.operations.runs.execution.console import RunConsole
from backend.operations.runs.execution.driver import drive
from backend.operations.runs.execution.lease import LeaseKeeper
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Run, RunStep
from tests.support.concurrently import meanwhile
from tests.support.console import confirmation, core_plan, make_link, make_user, store_plan
from tests.support.waiting import wait_for

pytestmark = pytest.mark.skipif(connection.vendor != "mysql", reason="a file's connection cannot be cut")


def waiting(statement: str) -> list[int]:
    """Sessions of this test's own schema at a statement of that kind."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM information_schema.processlist "
            "WHERE info LIKE %s AND db=DATABASE() AND id<>CONNECTION_ID()",
            [f"%{statement}%"],
        )
        return [session for (session,) in cursor.fetchall()]


@contextmanager
def cut_at(statement: str, locked: QuerySet[Any]) -> Iterator[None]:
    """Rows locked by another session, until a session that waits for them is cut off by its server."""

    def cut() -> None:
        (session,) = wait_for(lambda: waiting(statement), f"a session to wait for {statement}", 20, 0.05)
        with connection.cursor() as cursor:
            cursor.execute(f"KILL {session:d}")

    with meanwhile(lambda: list(locked), cut):
        yield


@pytest.fixture
def run(emptied: None) -> Run:
    """A queued run that swaps the roles of a link and nothing else."""
    make_user("nora", "operator")
    one = make_link()
    swapped = {"active": one.standby_cluster_id, "standby": one.active_cluster_id}
    swapped |= {"active_name": one.standby_cluster.name, "standby_name": one.active_cluster.name}
    step = Step(index=0, code="swap_roles", title="Swap the roles", node_id=None, node=None, params=swapped)
    plan = store_plan(one, replace(core_plan(one), steps=(step,)))
    return services.run_start(actor="nora", plan=plan, **confirmation(plan))


def assert_let_go(run: Run) -> None:
    """Still under way, claimed by no worker: the next worker may take it at once."""
    now = Run.objects.get(pk=run.pk)
    assert (now.state, now.owner, now.lease_until) == ("running", "", None), now.outcome


def test_drive__cut_while_it_stores_a_step__lets_go_and_a_successor_ends_it(run: Run) -> None:
    with cut_at("UPDATE `runs_runstep`", RunStep.objects.select_for_update().filter(run=run)):
        drive(run.pk)
    assert_let_go(run)
    drive(run.pk)
    assert Run.objects.get(pk=run.pk).state == "succeeded"


def test_drive__cut_within_a_steps_own_work__is_no_verdict_on_the_step(run: Run) -> None:
    before = Link.objects.get()
    with cut_at("FOR UPDATE", Link.objects.select_for_update().filter(pk=before.pk)):
        drive(run.pk)
    assert_let_go(run)
    assert RunStep.objects.get(run=run).state == "running"
    drive(run.pk)
    assert Run.objects.get(pk=run.pk).state == "succeeded"
    assert Link.objects.get().active_cluster_id == before.standby_cluster_id


CHANGES: list[Callable[[RunConsole, Link], None]] = [
    lambda console, link: console.set_roles(link.standby_cluster_id, link.active_cluster_id),
    lambda console, link: console.record_divergence(
        Divergence(link.active_cluster_id, link.standby_cluster_id, None, 1_800_000_000.0, run_id="r_1")
    ),
    lambda console, link: console.reconcile(link.active_cluster_id, "00000000-0000-0000-0000-000000000001"),
    lambda console, link: console.attach(link.active_cluster_id),
]


@pytest.mark.parametrize("change", CHANGES, ids=["set_roles", "record_divergence", "reconcile", "attach"])
def test_change__another_worker_comes_while_it_waits_for_the_link__comes_behind_it(
    run: Run, change: Callable[[RunConsole, Link], None]
) -> None:
    store, link = RunStore(run.pk, "w1"), Link.objects.get()
    assert store.claim(30)
    actions: list[str] = []
    before = AuditRecord.objects.count()

    def take_over() -> None:
        Run.objects.filter(pk=run.pk).update(lease_until=Now() - timedelta(seconds=1))
        RunStore(run.pk, "w2").claim(30)
        actions.extend(AuditRecord.objects.order_by("seq").values_list("action", flat=True)[before:])
        connection.close()

    def is_taking_over() -> bool:
        return bool(waiting("UPDATE `runs_run`")) or len(waiting("FOR UPDATE")) > 1

    other = Thread(target=take_over)

    def come() -> None:
        wait_for(lambda: waiting("FOR UPDATE"), "the change to wait for the link", 20, 0.05)
        other.start()
        wait_for(lambda: not other.is_alive() or is_taking_over(), "the other worker to wait, or to be done", 20, 0.05)

    with meanwhile(lambda: list(Link.objects.select_for_update()), come):
        change(RunConsole(store, run.link_id), link)
    other.join(20)
    assert [action.split(":")[1] for action in actions] == ["link", "run"], actions


def test_lease__cut_at_one_renewal__renewed_at_the_next(run: Run) -> None:
    store = RunStore(run.pk, "w1")
    assert store.claim(1.5)
    keeper = LeaseKeeper(store, 1.5)
    with cut_at("UPDATE `runs_run`", Run.objects.select_for_update().filter(pk=run.pk)):
        keeper.start()
    try:
        wait_for(lambda: Run.objects.get(pk=run.pk).lease_until > timezone.now(), "the lease to be renewed", 10)
    finally:
        keeper.stop()
