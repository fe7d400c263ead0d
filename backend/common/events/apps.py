"""Django application of the event stream."""

from __future__ import annotations

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Holds the events."""

    name = "backend.common.events"
    label = "events"
