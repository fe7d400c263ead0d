"""Redis as Celery's broker. A message is not trusted, because others may be able to write to Redis.

Messages that the console itself does not send are dropped with a log line before Celery reads them. Kombu's own
transport raises an unreadable message inside the worker's loop, which ends the worker.
"""

from __future__ import annotations

import base64
import binascii
import json
from queue import Empty
from typing import Any

import redis
import structlog
from kombu.transport.redis import Channel as RedisChannel
from kombu.transport.redis import QoS as RedisQoS
from kombu.transport.redis import Transport as RedisTransport

from backend.common.priority import Priority, is_last_kept

log = structlog.get_logger(__name__)
_CONTENT = "application/json"
_HEADERS = ("lang", "task", "id", "root_id", "parent_id", "expires", "argsrepr", "kwargsrepr", "origin")
"""The headers that Celery needs. A time limit among them would end a run between statement and proof."""
_FIXED = {"timelimit": [None, None], "eta": None, "retries": 0, "group": None, "ignore_result": True}
KEPT_S = 0.1
_UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError, RecursionError)
_MISSHAPEN = (*_UNREADABLE, KeyError, TypeError, ValueError, AttributeError)


class QoS(RedisQoS):
    """Unacknowledged messages; an unreadable one is not delivered again."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message. Where Redis refuses or is lost, it counts no longer all the same.

        Kombu logs the error and goes on, and the worker took no message again: its last slot stayed in use, so that
        it asked for none and never met the lost connection. Redis delivers the message again in its time.
        """
        try:
            super().ack(delivery_tag)
        except redis.RedisError:
            self._quick_ack(delivery_tag)  # type: ignore[attr-defined]
            raise

    def restore_by_tag(self, tag: Any, client: Any = None, leftmost: bool = False) -> None:
        """Return a message to the queue, or drop it if it is unreadable."""
        try:
            super().restore_by_tag(tag, client, leftmost)
        except _MISSHAPEN as error:
            _dropped(f"it cannot be restored: {type(error).__name__}")
            self._remove_from_indices(tag).execute()  # type: ignore[attr-defined]


class Channel(RedisChannel):
    """A connection to Redis that treats an unreadable message as none."""

    QoS = QoS

    def _brpop_start(self, timeout: float | None = None) -> None:
        """Ask for the next message; only for a moment, and for an operator's, while the last process is kept."""
        if not self._keeps_last():
            super()._brpop_start(timeout)  # type: ignore[misc]
            return
        every, self.priority_steps = self.priority_steps, [Priority.OPERATORS.value]
        try:
            super()._brpop_start(KEPT_S)  # type: ignore[misc]
        finally:
            self.priority_steps = every

    def _keeps_last(self) -> bool:
        delivered: dict[str, Any] = self.qos._delivered or {}  # noqa: SLF001 - kombu's own word
        acknowledged = self.qos._dirty or set()  # noqa: SLF001 - see above
        under_way = [message for tag, message in delivered.items() if tag not in acknowledged]
        return is_last_kept(self.qos.prefetch_count, (one.properties.get("priority") or 0 for one in under_way))

    def _brpop_read(self, **options: Any) -> Any:
        """The next message; raises `Empty` if it is not JSON, ReadOnlyError if the server became a replica."""
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]
        except redis.ResponseError as error:
            if not str(error).startswith("UNBLOCKED"):
                raise
            self.client.connection.disconnect()
            raise redis.ReadOnlyError(str(error)) from error
        except _UNREADABLE as error:
            _dropped(f"it is not JSON: {type(error).__name__}")
            raise Empty from error


class Transport(RedisTransport):
    """Kombu's transport, which delivers only messages in the console's own form.

    A Redis that refuses writes because it is a replica now counts as a lost connection: a new connection finds the
    master. Kombu counts it as an error of the command, which ends a worker (seen when a former master returned and
    Sentinel made it a replica).
    """

    Channel = Channel
    connection_errors = (*RedisTransport.connection_errors, redis.ReadOnlyError)

    def _deliver(self, message: Any, queue: str | None) -> None:
        """Deliver a message to the consumer, with the known headers only."""
        fault = message_fault(message)
        if fault:
            _dropped(fault)
            return
        headers = {name: message["headers"][name] for name in _HEADERS if name in message["headers"]}
        super()._deliver({**message, "headers": {**headers, **_FIXED}}, queue)


def message_fault(message: Any) -> str:
    """Why this is not a message of the console; empty if it is one."""
    if not isinstance(message, dict):
        return "it is not an object"
    return _header_fault(message) or _property_fault(message.get("properties")) or _body_fault(message.get("body"))


def _header_fault(message: dict[str, Any]) -> str:
    headers = message.get("headers")
    if not isinstance(headers, dict):
        return "it has no headers"
    if not all(isinstance(headers.get(name), str) for name in ("task", "id")):
        return "it names no task"
    if headers.get("compression"):
        return "it is compressed"
    if message.get("content-type") != _CONTENT or message.get("content-encoding") != "utf-8":
        return "its content type is not the console's"
    return ""


def _property_fault(properties: Any) -> str:
    if not isinstance(properties, dict) or not isinstance(properties.get("delivery_tag"), str):
        return "it has no delivery tag"
    delivery = properties.get("delivery_info")
    names = ("exchange", "routing_key")
    if not isinstance(delivery, dict) or not all(isinstance(delivery.get(name), str) for name in names):
        return "it does not name its exchange and routing key"
    return "" if properties.get("body_encoding") == "base64" else "its body encoding is not the console's"


def _body_fault(body: Any) -> str:
    try:
        args, kwargs, embedded = json.loads(base64.b64decode(body, validate=True))
    except (*_MISSHAPEN, binascii.Error):
        return "its body cannot be read"
    is_call = isinstance(args, list) and isinstance(kwargs, dict) and isinstance(embedded, dict)
    return "" if is_call else "its body is not a task call"


def _dropped(fault: str) -> None:
    log.warning("broker.message_dropped", detail=f"Dropped a message that Hawser did not send: {fault}.")
