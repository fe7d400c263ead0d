"""Celery tasks; their arguments are only keys of rows."""

from __future__ import annotations

from celery import shared_task

from backend.common.tasks import ConsoleTask
from backend.operations.incidents import dispatch, starting


@shared_task(base=ConsoleTask, name=dispatch.PLAN)
def plan_item(item_id: int) -> None:
    """Make the plan of an item, and wake a worker for the next one whatever became of it."""
    dispatch.make_plan(item_id)


@shared_task(base=ConsoleTask, name=dispatch.START)
def start_item(item_id: int) -> None:
    """Start an item whose turn has come."""
    starting.start_item(item_id)
