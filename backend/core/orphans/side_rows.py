"""What a replay or an undo asks of rows beside the statements it sends; the gateway and the fakes answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from backend.core.orphans.model import OrphanList, RowImage, TableShape
from backend.core.positions import FilePosition


class NodeRows(Protocol):
    """A session that looks rows of applications up on one node; every call raises NodeError."""

    @property
    def node(self) -> str:
        """The node's name."""
        ...

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        """Answers of counting statements, by their text."""
        ...

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """The row that stands under this one's key; None where there is none."""
        ...

    def close(self) -> None:
        """End the session."""
        ...


class SideRows(Protocol):
    """Rows of both sides of a link."""

    def on(self, node_id: str) -> NodeRows:
        """A fresh session on that node; raises NodeError."""
        ...

    def overwritten(
        self, node_id: str, since: FilePosition, survivor_ids: Sequence[int], book: OrphanList
    ) -> Mapping[str, int]:
        """Rows of the orphans' tables that the survivor's groups behind `since` in that node's log touch.

        By the digest of their key, with the number of the book's orphans, all of which stand before. Raises
        NodeError, UnreadableError.
        """
        ...
