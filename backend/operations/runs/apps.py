"""Django application of plans and runs."""

from __future__ import annotations

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Holds plans, runs, steps, statements and approvals."""

    name = "backend.operations.runs"
    label = "runs"
