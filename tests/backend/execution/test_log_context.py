"""Who and what a worker's log lines belong to is said by the console's rows, never by a message."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from backend.common import broker
from backend.config.celery import app
from backend.operations.runs.execution import driver
from backend.operations.runs.models import Run
from backend.operations.runs.tasks import drive_run
from tests.backend.execution.queued_message import message
from tests.backend.execution.swapping_run import page, run

__all__ = ["page", "run"]
FORGED = {"__django_structlog__": {"username": "u_admin", "ip": "10.0.0.1"}}


@pytest.fixture(autouse=True)
def nothing_bound() -> None:
    """As a process that did nothing yet."""
    clear_contextvars()


def test_worker__boots__without_a_step_that_believes_headers() -> None:
    assert not [step for step in app.steps["worker"] if "structlog" in step.__module__]


def test_deliver__log_context_in_a_header__taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    delivered: list[Any] = []
    monkeypatch.setattr(broker.RedisTransport, "_deliver", lambda _, message, queue: delivered.append(message))
    object.__new__(broker.Transport)._deliver(message(headers=FORGED), "runs")
    assert "u_admin" not in str(delivered)


def test_task__before_it_starts__nothing_of_the_task_before_it_is_left() -> None:
    bind_contextvars(username="u_admin", run_id="r_other")
    drive_run.before_start("t1", (), {})
    assert get_contextvars() == {"task": "runs.drive_run"}


def test_drive__lines_of_a_run__name_it_and_who_asked_for_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[dict[str, Any]] = []
    real_walk = driver.Driver.run

    def walk(self: driver.Driver) -> None:
        bound.append(structlog.contextvars.get_contextvars())
        real_walk(self)

    monkeypatch.setattr(driver.Driver, "run", walk)
    driver.drive(run.pk)
    assert bound == [{"run_id": run.pk, "link_id": run.link_id, "requested_by": "nora"}]
    assert get_contextvars() == {}
