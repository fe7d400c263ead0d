"""A session that cannot change anything."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from backend.core.dialects.galera import CAUSAL_READ
from backend.core.ports import NodeError, Row
from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.errors import LostError, NotAllowedError
from backend.gateway.connection.session import READ_S, Session
from backend.gateway.connection.statement_filter import is_reading

_Rows = TypeVar("_Rows")


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a caller stops waiting; `limit_s` is its duration."""

    limit_s: float
    at_s: float

    @classmethod
    def within(cls, limit_s: float) -> Deadline:
        """A deadline from now on, by the monotonic clock."""
        return cls(limit_s, time.monotonic() + limit_s)

    def check(self, node: str) -> None:
        """Raises NodeError after the deadline, with what to do."""
        if time.monotonic() > self.at_s:
            raise NodeError(
                node,
                f"reading logs took longer than {self.limit_s:g} s (HAWSER_PLAN_LIMIT_S), which is usual for a channel "
                "with a large backlog. Let it catch up and plan again, or plan with hawser_breakglass without a limit",
            )


class Reader:
    """Implements `NodeReader`; reading twice is harmless, so one lost connection is replaced at once."""

    def __init__(
        self,
        node: NodeRef,
        endpoint: NodeEndpoint,
        *,
        read_s: float = READ_S,
        pages_until: Deadline | None = None,
        settings: str = "",
    ) -> None:
        self.node = node
        self._pages_until = pages_until
        self._session = Session(node.name, endpoint, read_only=True, read_s=read_s, settings=settings)

    def open(self) -> None:
        """Connect before the first query; raises NodeError."""
        self._session.open()

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Rows of one SHOW or SELECT; raises NodeError."""
        if sql == CAUSAL_READ:
            return self._ask(sql, lambda: self._session.run_causal_read(timeout_s=timeout_s))
        return self._ask(sql, lambda: self._session.run(sql, timeout_s=timeout_s))

    def query_rows(self, sql: str, *, timeout_s: float | None = None) -> Sequence[tuple[Any, ...]]:
        """As `query`, as tuples in column order with texts as bytes: for long pages, until the deadline."""
        if self._pages_until is not None:
            self._pages_until.check(self.node.name)
        return self._ask(sql, lambda: self._session.run_raw(sql, timeout_s=timeout_s))

    def _ask(self, sql: str, send: Callable[[], _Rows]) -> _Rows:
        if not is_reading(sql):
            raise NotAllowedError(self.node.name, "a reader may only use SHOW and SELECT; nothing was sent")
        try:
            return send()
        except LostError as lost:
            if lost.timed_out:
                raise
        return send()

    def close(self) -> None:
        """End the session."""
        self._session.close()
