"""A session that cannot change anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from backend.core.ports import Row
from backend.core.topology import NodeRef
from backend.gateway.allow import is_reading
from backend.gateway.endpoint import NodeEndpoint
from backend.gateway.errors import LostError, NotAllowedError
from backend.gateway.session import READ_S, Session

_Rows = TypeVar("_Rows")


class Reader:
    """Implements `NodeReader`; reading twice is harmless, so one lost connection is replaced at once."""

    def __init__(self, node: NodeRef, endpoint: NodeEndpoint, *, read_s: float = READ_S) -> None:
        self.node = node
        self._session = Session(node.name, endpoint, read_only=True, read_s=read_s)

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Rows of one SHOW or SELECT; raises NodeError."""
        return self._ask(sql, lambda: self._session.run(sql, timeout_s=timeout_s))

    def query_rows(self, sql: str, *, timeout_s: float | None = None) -> Sequence[tuple[Any, ...]]:
        """As `query`, as tuples in the order of the columns and texts as bytes: for long pages."""
        return self._ask(sql, lambda: self._session.run_raw(sql, timeout_s=timeout_s))

    def _ask(self, sql: str, send: Callable[[], _Rows]) -> _Rows:
        if not is_reading(sql):
            raise NotAllowedError(self.node.name, "a reader sends only SHOW and SELECT")
        was_open = self._session.is_open
        try:
            return send()
        except LostError as lost:
            if lost.timed_out or not was_open:
                raise
        return send()

    def close(self) -> None:
        """End the session."""
        self._session.close()
