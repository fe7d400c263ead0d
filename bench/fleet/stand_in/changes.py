"""What changes on a stand-in: a link's writes, a node's channel, and the probes of a cluster."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

from bench.fleet.stand_in.protocol import Answer

FIRST_COUNT = 100_000
_TEXT = 253
_WRITTEN = re.compile(r"REPLACE INTO hawser\.probe .*VALUES \('([^']+)', '([^']+)', '([^']+)', '([^']+)'")
_READ = re.compile(r"SELECT token FROM hawser\.probe WHERE link_id='([^']+)' AND direction='([^']+)'")
_ALL = "SELECT link_id, token, written_on, written_at FROM hawser.probe "


@dataclass
class Writes:
    """Transactions of a link's active side, which the other side applies at once; none after the side's loss."""

    rate: float
    server_id: int
    _began: float = field(default_factory=time.time)
    _ended: float | None = None

    @property
    def count(self) -> int:
        """How many were committed by now."""
        return FIRST_COUNT + int(((self._ended or time.time()) - self._began) * self.rate)

    def end(self) -> None:
        """No more of them."""
        self._ended = self._ended or time.time()


@dataclass
class Channel:
    """Both threads of a channel."""

    receives: str = "Yes"
    applies: str = "Yes"
    is_removed: bool = False

    def change(self, sql: str) -> bool:
        """Whether the statement stopped or removed it."""
        if sql == "RESET SLAVE ALL":
            self.is_removed = True
        if sql == "STOP SLAVE":
            self.receives = self.applies = "No"
        return sql in ("RESET SLAVE ALL", "STOP SLAVE")

    def lose_source(self) -> None:
        """Its source no longer answers."""
        self.receives = "Connecting"

    def columns(self) -> dict[str, str]:
        """What it shows."""
        return {"Slave_IO_Running": self.receives, "Slave_SQL_Running": self.applies}


class Probes:
    """The table `hawser.probe` of a cluster."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], tuple[str, str, str]] = {}

    def change(self, sql: str) -> bool:
        """Whether the statement wrote a probe."""
        found = _WRITTEN.match(sql)
        if found is not None:
            link, direction, token, node = found.groups()
            self._rows[link, direction] = token, node, time.strftime("%Y-%m-%d %H:%M:%S.000000", time.gmtime())
        return found is not None

    def answer(self, sql: str) -> Answer | None:
        """Its rows, where the statement asks for them."""
        if sql.startswith(_ALL):
            names = ("link_id", "token", "written_on", "written_at")
            return Answer([(name, _TEXT) for name in names], [[key[0], *row] for key, row in self._rows.items()])
        found = _READ.match(sql)
        if found is None:
            return None
        row = self._rows.get((found[1], found[2]))
        return Answer([("token", _TEXT)], [] if row is None else [[row[0]]])
