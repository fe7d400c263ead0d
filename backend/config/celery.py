"""The Celery application; its settings are Django's CELERY_* names."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")

app = Celery("hawser")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
