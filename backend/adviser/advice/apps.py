"""The Django application of advice."""

from __future__ import annotations

from django.apps import AppConfig


class AdviceConfig(AppConfig):
    """Stores configurations as they were read, and dismissals."""

    name = "backend.adviser.advice"
    label = "advice"
