"""Celery on Redis. Redis only wakes workers; all state is in the database."""

from __future__ import annotations

from backend.common.priority import Priority
from backend.config import env

HAWSER_REDIS_URL = env.text("HAWSER_REDIS_URL")

CELERY_BROKER_URL = HAWSER_REDIS_URL
# Drops messages that Hawser did not send; kombu's own transport ends the worker on an unreadable one.
CELERY_BROKER_TRANSPORT = "backend.common.broker:Transport"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task runs; an expired lease is found by the reconciler much sooner.
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
    "socket_keepalive": True,
}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "runs"
# One queue with a list for each priority; a run has its own (backend.operations.runs.services.dispatch).
CELERY_TASK_ROUTES = {
    "incidents.*": {"priority": Priority.AUTOMATIC.value},
    "hooks.*": {"priority": Priority.AUTOMATIC.value},
    "web_push.*": {"priority": Priority.AUTOMATIC.value},
    "rehearsals.*": {"priority": Priority.BACKGROUND.value},
    "table_comparison.*": {"priority": Priority.BACKGROUND.value},
}
CELERY_TASK_TIME_LIMIT = 280
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Write access to Redis would otherwise allow shutting workers down or holding their tasks back.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
