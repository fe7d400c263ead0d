"""The project's set-up: settings from the environment, Celery, ASGI, URLs.

The Celery application is loaded with Django, so that every task finds its broker settings.
"""

from __future__ import annotations

from backend.config.celery import app as celery_app

__all__ = ["celery_app"]
