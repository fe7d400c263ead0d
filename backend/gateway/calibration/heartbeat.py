"""Writes rows on one side of a link and looks for them on the nodes of the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime

from backend.core.adviser.calibration.bounds import MOST_COMMIT_MS
from backend.core.adviser.calibration.decision import Progress, Reason
from backend.core.adviser.calibration.heartbeat import BEATS, PAUSE_S, Clock, Heartbeat, Look, Poll, clock_of, heartbeat
from backend.core.adviser.calibration.table import insert_sql, newest_sql, written_sql
from backend.core.estimates import Unknown
from backend.core.ports import NodeError
from backend.gateway.calibration.commits import STATEMENT_S, Watch, table
from backend.gateway.calibration.node import READ_S, FlowControl
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.reader import Reader
from backend.gateway.writer import Writer

POLL_S = 0.005
TABLE_S = 3.0
"""For the table to reach the replica, before the first row is written."""
MOST_CONNECTIONS = 6
EVERY_S = 0.008
LATE_S = 2.0
"""For the last row."""
ROW_BYTES = 8
_CLOCK_SQL = "SELECT UTC_TIMESTAMP(6) AS at"
_CLOCK_LOOKS = 10


@dataclass
class Beats:
    """What each node of the other side showed; `stopped` says why fewer rows were written."""

    nodes: dict[str, Heartbeat | Unknown] = field(default_factory=dict)
    stopped: Reason | None = None
    left: str = ""


class Replica:
    """Looks for the newest row on one node, again and again, and on several connections where it is far away."""

    def __init__(self, access: NodeAccess, token: str) -> None:
        self._access, self._token = access, token
        self._end = threading.Event()
        self._threads = [threading.Thread(target=self._first, daemon=True)]
        self._newest = 0
        self._polls: list[Poll] = []
        self.id, self.error = access.ref.id, ""
        self.clock: Clock | Unknown = Unknown("Its clock was not read.")

    def start(self) -> None:
        """Begin to look."""
        self._threads[0].start()

    def has_seen(self, number: int) -> bool:
        """Whether the row is there, or no connection looks any more."""
        return self._newest >= number or not any(thread.is_alive() for thread in self._threads)

    @property
    def is_looking(self) -> bool:
        """Whether it found the table, or will never."""
        return bool(self._polls) or not self._threads[0].is_alive()

    def end(self) -> None:
        """Stop looking."""
        self._end.set()
        for thread in list(self._threads):
            thread.join(READ_S * 2)

    @property
    def polls(self) -> list[Poll]:
        """All looks, in the order of the server's clock."""
        return sorted(self._polls, key=lambda poll: poll.began_s)

    def _first(self) -> None:
        with closing(Reader(self._access.ref, self._access.monitor, read_s=READ_S)) as reader:
            until = time.monotonic() + TABLE_S
            while not (self._end.is_set() or self._is_found(reader)):
                if time.monotonic() > until:
                    return
                time.sleep(PAUSE_S)
            self._share_out()
            self._poll_on(reader)

    def _is_found(self, reader: Reader) -> bool:
        try:
            self.clock = read_clock(reader)
            self._polls.append(_poll(reader, self._token))
        except NodeError as error:
            self.error = error.message
            return False
        return True

    def _share_out(self) -> None:
        """More connections: one alone looks only once in a round trip."""
        trip = 0.0 if isinstance(self.clock, Unknown) else self.clock.error_s * 2
        more = min(MOST_CONNECTIONS, round(trip / EVERY_S)) - 1
        for index in range(more):
            after = (index + 1) * trip / (more + 1)
            thread = threading.Thread(target=self._another, args=(after,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _another(self, after_s: float) -> None:
        with closing(Reader(self._access.ref, self._access.monitor, read_s=READ_S)) as reader:
            time.sleep(after_s)
            self._poll_on(reader)

    def _poll_on(self, reader: Reader) -> None:
        while not self._end.is_set():
            try:
                poll = _poll(reader, self._token)
            except NodeError as error:
                self.error = error.message
                return
            self._polls.append(poll)
            self._newest = max(self._newest, poll.newest or 0)
            time.sleep(POLL_S)


def write_beats(source: NodeAccess, peers: Sequence[NodeAccess], token: str, watch: Watch) -> Beats:
    """Raises NodeError where nothing was written."""
    found, replicas = Beats(), [Replica(access, token) for access in peers]
    with (
        closing(Reader(source.ref, source.monitor, read_s=READ_S)) as reader,
        table(source, lambda why: setattr(found, "left", why)) as writer,
    ):
        clock = read_clock(reader)
        for replica in replicas:
            replica.start()
        _wait(lambda: all(replica.is_looking for replica in replicas), TABLE_S)
        found.stopped = _write_rows(writer, token, watch, FlowControl(reader))
        written = {int(str(row["id"])): _seconds(row["written_at"]) for row in _written(writer, token)}
        _wait(lambda: all(replica.has_seen(max(written, default=0)) for replica in replicas), LATE_S)
        for replica in replicas:
            replica.end()
    for replica in replicas:
        polls = replica.polls
        found.nodes[replica.id] = (
            heartbeat(written, polls, clock, replica.clock) if polls else Unknown(_unasked(replica.error))
        )
    return found


def _unasked(error: str) -> str:
    return f"It did not show the table of measurements within {TABLE_S:g} s: {error or 'no answer'}."


def read_clock(reader: Reader) -> Clock | Unknown:
    """How far the server's clock is ahead of this process's."""
    looks = []
    for _ in range(_CLOCK_LOOKS):
        sent = time.perf_counter()
        at = _seconds(reader.query(_CLOCK_SQL)[0]["at"])
        looks.append(Look(sent, time.perf_counter(), at))
    return clock_of(looks)


def _write_rows(writer: Writer, token: str, watch: Watch, flow: FlowControl) -> Reason | None:
    began, slowest = time.monotonic(), 0.0
    for number in range(1, BEATS + 1):
        reason = watch(Progress(time.monotonic() - began, slowest, flow.paused()))
        if reason is not None:
            return reason
        try:
            taken = writer.commit_ms(insert_sql(token, number, ROW_BYTES), timeout_s=MOST_COMMIT_MS / 1000)
        except NodeError as error:
            return Reason("node_error", f"{writer.node.name}: {error.message}.")
        slowest = max(slowest, taken)
        time.sleep(max(0.0, PAUSE_S - taken / 1000))
    return None


def _written(writer: Writer, token: str) -> Sequence[dict[str, object]]:
    try:
        return [dict(row) for row in writer.query(written_sql(token), timeout_s=STATEMENT_S)]
    except NodeError:
        return []


def _poll(reader: Reader, token: str) -> Poll:
    row = reader.query(newest_sql(token))[0]
    began = _seconds(row["began_at"])
    newest = None if row["id"] is None else int(str(row["id"]))
    return Poll(newest, began, began + int(str(row["took_us"])) / 1e6)


def _seconds(value: object) -> float:
    return datetime.fromisoformat(str(value)).replace(tzinfo=UTC).timestamp()


def _wait(is_done: Callable[[], bool], limit_s: float) -> None:
    until = time.monotonic() + limit_s
    while time.monotonic() < until and not is_done():
        time.sleep(POLL_S)
