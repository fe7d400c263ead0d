"""A driver whose connection to the console's own database is cut: it lets go, and a successor goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.plan import Step
from backend.runs import services
from backend.runs.execution import drive
from backend.runs.lease import LeaseKeeper
from backend.runs.models import Run, RunStep
from backend.runs.store import RunStore
from tests.galera.stack import wait_for
from tests.support.console import confirmation, core_plan, make_link, make_user, store_plan
from tests.support.meanwhile import meanwhile

pytestmark = pytest.mark.skipif(connection.vendor != "mysql", reason="a file's connection cannot be cut")


@contextmanager
def cut_at(waiting_for: str, locked: QuerySet[Any]) -> Iterator[None]:
    """Rows locked by somebody else, until a session that waits for them is cut off by its server."""

    def waiting() -> list[int]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id FROM information_schema.processlist WHERE info LIKE %s AND id<>CONNECTION_ID()",
                [f"%{waiting_for}%"],
            )
            return [session for (session,) in cursor.fetchall()]

    def cut() -> None:
        (session,) = wait_for(waiting, 20, f"a session to wait for {waiting_for}", 0.05)
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
    """Still under way, held by nobody: the next worker may take it at once."""
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


def test_lease__cut_at_one_renewal__renewed_at_the_next(run: Run) -> None:
    store = RunStore(run.pk, "w1")
    assert store.claim(1.5)
    keeper = LeaseKeeper(store, 1.5)
    with cut_at("UPDATE `runs_run`", Run.objects.select_for_update().filter(pk=run.pk)):
        keeper.start()
    try:
        wait_for(lambda: Run.objects.get(pk=run.pk).lease_until > timezone.now(), 10, "the lease to be renewed")
    finally:
        keeper.stop()
