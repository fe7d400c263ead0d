"""Write access to Redis: a message can wake a worker for a run, none starts, approves, resumes or aborts one."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.config.celery import app
from backend.operations.incidents.tasks import plan_item, start_item
from backend.operations.runs.models import Run
from backend.operations.runs.tasks import drive_run
from tests.backend.two_persons.waiting import people, waiting_run
from tests.support.console import make_user
from tests.support.incidents import Workers, confirmed, item, opened, states, touched_link, workers

__all__ = ["workers"]
TASKS = {
    "hooks.deliver_due",
    "incidents.plan_item",
    "incidents.start_item",
    "rehearsals.rehearse",
    "runs.drive_run",
    "runs.worker_probe",
    "table_comparison.go_on",
    "web_push.deliver_due",
}


def test_tasks__all_that_a_message_can_name__none_decides_anything() -> None:
    app.loader.import_default_modules()
    assert {name for name in app.tasks if not name.startswith("celery.")} == TASKS


@pytest.mark.parametrize("state", ["waiting_approval", "needs_operator", "succeeded", "failed", "aborted"])
def test_drive_run__forged_for_a_run_that_is_not_queued__left_alone(link: Link, state: str) -> None:
    people()
    run = waiting_run(link)
    Run.objects.filter(pk=run.pk).update(state=state)
    before = Run.objects.values().get()
    drive_run(run.id)
    assert Run.objects.values().get() == before


def test_items__forged_before_the_confirmation_or_out_of_turn__left_alone(db: None, workers: Workers) -> None:
    make_user("nora", "operator")
    for net, name in enumerate(("first", "second"), 81):
        touched_link(name, net, gap=100 - net)
    incident = opened(workers)
    before = states(incident)
    for name in ("first", "second"):
        start_item(item(incident, name).pk)
        plan_item(item(incident, name).pk)
    assert states(incident) == before
    assert not Run.objects.exists()
    incident = confirmed(workers, incident)
    start_item(item(incident, "second").pk)
    assert [run.link.name for run in Run.objects.all()] == ["first"]
