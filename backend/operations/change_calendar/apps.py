"""Django application of the change calendar."""

from __future__ import annotations

from django.apps import AppConfig


class ChangeCalendarConfig(AppConfig):
    """Holds change windows, freezes and what was started in spite of them."""

    name = "backend.operations.change_calendar"
    label = "change_calendar"
