"""A log whose cluster was bootstrapped again: the former history's Xids are not its seqnos.

Seqnos begin again at 1 with a new state UUID, and the log goes on. Where the new history reaches a number of the old
one, a search by Xid found both, or only the old one, and refused a position that can be proven (a CI run, by chance).
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.binlog.events import EventSource, LogEvent, RowImages
from backend.core.dialects import EventForms
from backend.core.positions import FilePosition

_WITHOUT_XID = "COMMIT"


class CurrentHistoryLog:
    """An event source that leaves out the Xids before the file in which the current history was first seen.

    A history begins with the start of a server, and so with a file. All else of the events is as in the log.
    """

    def __init__(self, log: EventSource, first_seen: FilePosition) -> None:
        self._log = log
        self._first_file = first_seen.number

    @property
    def row_images(self) -> RowImages:
        """As the log."""
        return self._log.row_images

    @property
    def forms(self) -> EventForms:
        """As the log."""
        return self._log.forms

    def files(self) -> Sequence[tuple[str, int]]:
        """As the log; raises NodeError."""
        return self._log.files()

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """One page; raises NodeError."""
        rows = self._log.events(file, offset, limit=limit, skip=skip)
        if FilePosition(file, offset).number >= self._first_file:
            return rows
        return [row._replace(info=_WITHOUT_XID) if row.type == "Xid" else row for row in rows]
