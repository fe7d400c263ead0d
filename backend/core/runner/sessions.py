"""The changing sessions of a walk: one a node, kept from statement to statement.

A new session costs about eight round trips to a distant site, and its server's identity one. So a session is kept where
its statement had a known outcome, and each statement asks for the identity before it: an answer also shows that the
session is alive. One that does not answer says nothing about its server, so a new one is opened in its place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from backend.core.ports import Gateway, NodeError, NodeWriter
from backend.core.runner.reconnect import retry_once

Opened = tuple[NodeWriter, Mapping[str, str]]
"""A session, and what its server said about itself just now."""


class KeptSessions:
    """A session that was taken is kept again after its statement, or closed."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._stored: dict[str, NodeWriter] = {}
        self._is_ahead = False

    def open_ahead(self, node_ids: Collection[str]) -> None:
        """Open the sessions that a walk will need, once and in parallel: before its first statement, not between two.

        Reading sessions, too: a switchover reads logs while writes are paused. A node that accepts none now has none
        kept; its own statement says why.
        """
        if self._is_ahead:
            return
        self._is_ahead = True
        self._stored |= self._gateway.open_ahead(sorted(set(node_ids) - set(self._stored)))

    def take(self, node_id: str) -> Opened:
        """The kept session where it is alive, else a new one; raises NodeError."""
        stored = self._stored.pop(node_id, None)
        if stored is not None:
            try:
                return stored, stored.identity()
            except NodeError:
                stored.close()
        return retry_once(lambda: self._opened(node_id))

    def _opened(self, node_id: str) -> Opened:
        """A session whose server reported its identity."""
        writer = self._gateway.writer(node_id)
        try:
            return writer, writer.identity()
        except BaseException:
            writer.close()
            raise

    def keep(self, node_id: str, writer: NodeWriter) -> None:
        """Keep a session for the node's next statement: only after an outcome that is known."""
        self._stored[node_id] = writer

    def drop(self, writer: NodeWriter) -> None:
        """End a session whose statement did not succeed."""
        writer.close()
        self._stored = {node_id: stored for node_id, stored in self._stored.items() if stored is not writer}

    def is_kept(self, writer: NodeWriter) -> bool:
        """Whether it was kept."""
        return any(stored is writer for stored in self._stored.values())

    def close(self) -> None:
        """End all kept sessions."""
        stored, self._stored = list(self._stored.values()), {}
        for writer in stored:
            writer.close()
