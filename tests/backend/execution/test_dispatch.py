"""Redis only wakes workers: lost messages are sent again, repeated ones act once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.conf import settings as configured
from django.db.models.functions import Now
from django.utils import timezone

from backend.common import heartbeats, housekeeping
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.common.models import IdempotencyRecord
from backend.config.celery import app
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, Run, RunState
from backend.operations.runs.tasks import drive_run, worker_probe
from tests.support.console import confirmation, make_link, make_user, store_plan


@pytest.fixture
def dispatches() -> Iterator[Callable[[str], int]]:
    """How often something (a run's id, a task's name) stands in the real queue."""
    client = redis.Redis.from_url(configured.HAWSER_REDIS_URL)

    def count(text: str) -> int:
        messages: list[bytes] = client.lrange("runs", 0, -1)  # type: ignore[assignment]
        return sum(text.encode() in message for message in messages)

    yield count
    client.close()


def test_start__committed__dispatches_once(emptied: None, dispatches: Callable[[str], int]) -> None:
    plan = store_plan(make_link())
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    assert dispatches(run.id) == 1


def test_reannounce__queued_or_lapsed__rung_once_per_interval(
    db: None, dispatches: Callable[[str], int], plan: Plan
) -> None:
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    assert services.redispatch_stale() == 0  # just announced
    Run.objects.update(dispatched_at=timezone.now() - timedelta(seconds=20))
    assert services.redispatch_stale() == 1
    assert services.redispatch_stale() == 0
    RunStore(run.id, "w").claim(30)
    Run.objects.update(dispatched_at=None)
    assert services.redispatch_stale() == 0  # a worker has claimed it
    Run.objects.update(lease_until=Now() - timedelta(seconds=1))
    assert services.redispatch_stale() == 1
    for state in (RunState.WAITING_APPROVAL, RunState.NEEDS_OPERATOR, RunState.SUCCEEDED):
        Run.objects.update(dispatched_at=None, state=state.value)
        assert services.redispatch_stale() == 0
    assert dispatches(run.id) == 2


def test_drive__run_held_by_another__is_left_alone(db: None, plan: Plan) -> None:
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    RunStore(run.id, "other").claim(30)
    before = Run.objects.values().get(pk=run.pk)
    for _ in range(5):
        drive_run(run.id)
    assert Run.objects.values().get(pk=run.pk) == before


def test_worker_probe__executed__is_a_sign_of_life(db: None) -> None:
    assert heartbeats.silence("worker") is None
    worker_probe()
    assert heartbeats.silence("worker") is not None


def test_probe_workers__often_called__dispatches_once_a_quarter_minute(
    db: None, dispatches: Callable[[str], int]
) -> None:
    before = dispatches("runs.worker_probe")
    for _ in range(5):
        services.probe_workers()
    assert dispatches("runs.worker_probe") == before + 1


def test_due__several_callers__one_per_interval(db: None) -> None:
    assert [heartbeats.is_due("x", timedelta(hours=1)) for _ in range(3)] == [True, False, False]
    assert heartbeats.is_due("x", timedelta(0)) is True


def test_sweep__old_rows__go_and_history_stays(db: None) -> None:
    old = timezone.now() - timedelta(days=2)
    events.link_updated(link_id="l_aaaaaaaaaaaa")
    event = events.raised(link_id="l_aaaaaaaaaaaa", kind="k", severity="info", message="m")
    IdempotencyRecord.objects.create(caller="c", key="k", fingerprint="f")
    Event.objects.update(at=old)
    IdempotencyRecord.objects.update(created_at=old)
    housekeeping.sweep()
    assert list(Event.objects.values_list("pk", flat=True)) == [event.pk]
    assert not IdempotencyRecord.objects.exists()


def test_celery__settings__are_those_of_a_doorbell() -> None:
    conf: Any = app.conf
    assert conf.accept_content == ["json"]
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost, conf.worker_prefetch_multiplier) == (True, True, 1)
    assert conf.broker_transport_options["visibility_timeout"] > conf.task_time_limit
    assert conf.broker_transport_options["unacked_restore_throttle"] == 1
    assert (conf.worker_enable_remote_control, conf.worker_send_task_events) == (False, False)
    assert app.connection_for_read().transport_cls == "backend.common.broker:Transport"
