"""How many messages wait in Redis for a worker."""

from __future__ import annotations

import redis
from django.conf import settings


def waiting_messages() -> int | None:
    """Number of messages that no worker has received; None, unknown, if Redis is not responding."""
    client = redis.Redis.from_url(settings.HAWSER_REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        return int(client.llen(settings.CELERY_TASK_DEFAULT_QUEUE))
    except redis.RedisError:
        return None
    finally:
        client.close()
