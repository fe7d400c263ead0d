"""The Celery application; its settings are Django's CELERY_* names."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup
from django.core.management.base import CommandError
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")

app = Celery("hawser")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_after_setup.connect
def refuse_half_restored_database(**_: Any) -> None:
    """A worker would claim the runs of a database whose restore has not finished."""
    from backend.common import unfinished_restore  # needs the applications

    try:
        unfinished_restore.refuse()
    except CommandError as error:
        raise SystemExit(str(error)) from error
    finally:
        connection.close()
