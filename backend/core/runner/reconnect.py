"""Lost sessions: an action that may be repeated is repeated in a new session."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from backend.core.ports import Gateway, NodeError

T = TypeVar("T")


def retry_once(query: Callable[[], T]) -> T:
    """The result of `query`, repeated once where its session was lost. Only for queries that may be repeated.

    `query` opens its own session. Raises NodeError.
    """
    try:
        return query()
    except NodeError as error:
        if not error.indeterminate:
            raise
    return query()


def end_session(gateway: Gateway, node_id: str, connection_id: int) -> bool:
    """Kill a session of Hawser on that node; False where it does not end. Raises NodeError."""
    writer = gateway.writer(node_id)
    try:
        return writer.kill_session(connection_id)
    finally:
        writer.close()
