"""Sessions that were lost: what may be done twice is done over a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from backend.core.ports import Gateway, NodeError

T = TypeVar("T")


def retry_once(query: Callable[[], T]) -> T:
    """What `query` answers; tried a second time where its session was lost. Only for what may be done twice.

    `query` opens its own session. Raises NodeError.
    """
    try:
        return query()
    except NodeError as error:
        if not error.indeterminate:
            raise
    return query()


def end_session(gateway: Gateway, node_id: str, connection_id: int) -> bool:
    """Kill a session of ours on that node; False where it does not end. Raises NodeError."""
    writer = gateway.writer(node_id)
    try:
        return writer.kill_session(connection_id)
    finally:
        writer.close()
