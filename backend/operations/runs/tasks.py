"""Celery's entry points; their arguments are ids only."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down

from backend.common.heartbeats import record_heartbeat
from backend.common.tasks import ConsoleTask
from backend.operations.runs.execution import broker_watchdog, worker_shutdown
from backend.operations.runs.execution.driver import drive


@worker_ready.connect
def start_broker_watchdog(**_: Any) -> None:
    """Start the broker watchdog with the worker."""
    broker_watchdog.start()


@worker_shutting_down.connect
def release_runs_on_shutdown(**_: Any) -> None:
    """Bound how long a worker's shutdown waits for its runs."""
    worker_shutdown.request_shutdown()


@shared_task(base=ConsoleTask, name="runs.drive_run")
def drive_run(run_id: str) -> None:
    """Execute a run as far as possible; a run that is already claimed is left alone."""
    drive(run_id)


@shared_task(base=ConsoleTask, name="runs.worker_probe", expires=30)
def worker_probe() -> None:
    """Proves that a worker receives messages, which its existence alone does not."""
    record_heartbeat("worker")
