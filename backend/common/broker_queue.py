"""How many messages wait in Redis for a worker."""

from __future__ import annotations

import redis
from django.conf import settings
from kombu.transport.redis import Channel

from backend.common.priority import Priority


def waiting_messages() -> int | None:
    """Number of messages that no worker has received; None, unknown, if Redis is not responding."""
    client = redis.Redis.from_url(settings.HAWSER_REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        return sum(int(client.llen(name)) for name in _lists())
    except redis.RedisError:
        return None
    finally:
        client.close()


def _lists() -> list[str]:
    """The list of each priority; the first has the name of the queue alone."""
    queue = settings.CELERY_TASK_DEFAULT_QUEUE
    return [queue if not priority else f"{queue}{Channel.sep}{priority.value}" for priority in Priority]
