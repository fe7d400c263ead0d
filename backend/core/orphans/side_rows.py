"""The row queries of a replay or an undo besides its statements; the gateway and the fakes implement them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from backend.core.orphans.model import OrphanList, RowImage, TableShape
from backend.core.positions import FilePosition


class NodeRows(Protocol):
    """A session that looks up application rows on one node; every call raises NodeError."""

    @property
    def node(self) -> str:
        """The node's name."""
        ...

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        """The results of counting statements, by their text."""
        ...

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """The row with the same key; None where there is none."""
        ...

    def close(self) -> None:
        """End the session."""
        ...


class SideRows(Protocol):
    """Rows of both sides of a link."""

    def on(self, node_id: str) -> NodeRows:
        """A new session on the node; raises NodeError."""
        ...

    def overwritten(
        self, node_id: str, since: FilePosition, survivor_ids: Sequence[int], book: OrphanList
    ) -> Mapping[str, int]:
        """Rows of the orphans' tables that the survivor's groups after `since` in the node's log touch.

        The result is by the digest of their key, with the number of orphans in the list, all of which precede them.
        Raises NodeError, UnreadableError.
        """
        ...
