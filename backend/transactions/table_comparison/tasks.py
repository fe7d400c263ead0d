"""Celery tasks; their arguments are only keys of rows."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task
from kombu.exceptions import OperationalError

from backend.common.tasks import ConsoleTask
from backend.transactions.table_comparison import services


@shared_task(base=ConsoleTask, name="table_comparison.go_on", expires=60)
def go_on(comparison_id: str) -> None:
    """Compare for some seconds, and go on behind what else waits for a worker."""
    if services.go_on_claimed(comparison_id):
        with suppress(OperationalError):  # the monitor dispatches it again
            go_on.apply_async(args=(comparison_id,), retry=False)
