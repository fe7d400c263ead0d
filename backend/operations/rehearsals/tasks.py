"""Celery tasks; their arguments are only keys of rows."""

from __future__ import annotations

from celery import shared_task

from backend.common.tasks import ConsoleTask
from backend.operations.rehearsals import services


@shared_task(base=ConsoleTask, name="rehearsals.rehearse", expires=300)
def rehearse(link_id: str, kind: str) -> None:
    """Run a rehearsal that is due."""
    services.rehearse_due(link_id, kind)
