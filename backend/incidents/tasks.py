"""Celery tasks; their arguments are only keys of rows."""

from __future__ import annotations

from celery import shared_task

from backend.common.tasks import ConsoleTask
from backend.incidents import planning, starting


@shared_task(base=ConsoleTask, name="incidents.plan_item", expires=120)
def plan_item(item_id: int) -> None:
    """Make the plan of an item, and wake a worker for the next one whatever became of it."""
    from backend.incidents.dispatch import dispatch_plans  # it sends this very task

    try:
        planning.plan_item(item_id)
    finally:
        dispatch_plans()


@shared_task(base=ConsoleTask, name="incidents.start_item", expires=60)
def start_item(item_id: int) -> None:
    """Start an item whose turn has come."""
    starting.start_item(item_id)
