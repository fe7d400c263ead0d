"""Celery's entry points; they carry ids and nothing else."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down

from backend.common.heartbeats import record_heartbeat
from backend.common.tasks import ConsoleTask
from backend.runs.execution import broker_watchdog, worker_shutdown
from backend.runs.execution.driver import drive


@worker_ready.connect
def start_broker_watchdog(**_: Any) -> None:
    """From its first moment on a worker looks whether it still takes messages."""
    broker_watchdog.start()


@worker_shutting_down.connect
def release_runs_on_shutdown(**_: Any) -> None:
    """A worker told to end waits for its runs only so long."""
    worker_shutdown.request_shutdown()


@shared_task(base=ConsoleTask, name="runs.drive_run")
def drive_run(run_id: str) -> None:
    """Carry a run on as far as it goes; a run that is claimed already is left alone."""
    drive(run_id)


@shared_task(base=ConsoleTask, name="runs.worker_probe", expires=30)
def worker_probe() -> None:
    """Proves that a worker takes messages, which its mere existence does not."""
    record_heartbeat("worker")
