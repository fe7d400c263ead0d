"""Polls one node: over a kept connection that never blocks where that works, else in a thread that waits.

The first poll, one after a lost connection, and one of a node of which a statement is still running are made by a
`Session`, which tells a closed port from a silent one and a refused login from both. Once it answered, the node gets a
connection that the loop reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from backend.core.dialects import Dialect, DialectError, dialect_of, dialect_to_watch
from backend.core.dialects.known_defects import may_end_when_read
from backend.core.ports import NodeError, Row
from backend.core.positions import FilePosition
from backend.core.row_digests import RowsRead
from backend.core.topology import NodeFacts, Reach
from backend.gateway.connection.endpoint import NodeAccess, answers_limit_s
from backend.gateway.connection.errors import LostError
from backend.gateway.connection.session import Session
from backend.gateway.polling.binlog_tail import BinlogTail, Steps
from backend.gateway.polling.exchange import Exchange, open_exchange
from backend.gateway.polling.journal_sample import COUNTER, SAMPLE_BUDGET_S, Sample, sample_steps, take_sample
from backend.gateway.polling.parallel import hung_facts
from backend.gateway.polling.poll import CHANGING, Asked, all_queries, poll_node, read_facts
from backend.gateway.polling.poll_loop import PollLoop
from backend.gateway.polling.results import ProtocolError, as_tuple, by_name
from backend.gateway.polling.workers import Work

HUNG_AFTER_S = 2.0
REFUSED_PAUSE_S = 5.0
"""The interval between attempts with refused credentials, so that no account gets locked."""
UNKEPT_PAUSE_S = 60.0
"""How long a node is polled without a kept connection after that was refused, or did not answer every statement."""
_UNREADABLE = (NodeError, DialectError, KeyError, IndexError, ValueError)
_BROKEN = (OSError, ProtocolError)


@dataclass(frozen=True, slots=True)
class Polled:
    """The newest facts of one node; `rows` is what is known of the rows in its log, where these are read."""

    facts: NodeFacts
    sample: Sample | None
    tail: BinlogTail
    rows: RowsRead | None = None

    @property
    def tells_its_end(self) -> bool:
        """Whether all of its log was read; a node that responds may have written more since."""
        return self.tail.is_current or not self.facts.is_up


class _UnansweredError(Exception):
    """A statement was not answered over the kept connection, and none is sent again there."""


class _Answered(Asked):
    """What a kept connection answered."""

    def query(self, sql: str) -> Sequence[Row]:
        if sql in self.answers:
            return self.answers.pop(sql)
        if time.monotonic() < self.deadline:
            raise _UnansweredError(sql)
        raise LostError(self.session.name, "the poll's time limit was reached", timed_out=True)


class NodePoller:
    """One node. `submit` is called with what waits and whether the node was silent; `done` after each poll."""

    def __init__(
        self,
        access: NodeAccess,
        loop: PollLoop,
        submit: Callable[[Work, bool], None],
        done: Callable[[NodePoller], None],
        start: FilePosition | None = None,
    ) -> None:
        self.access = access
        self.latest: Polled | None = None
        self.busy_since: float | None = None
        self.changes = False
        """A statement changes its channels now: they are not read where that may end the server."""
        self._loop, self._submit, self._done = loop, submit, done
        self._session = Session(access.ref.name, access.monitor, read_only=True, read_s=access.answers_s, joins=True)
        self._tail = BinlogTail(start)
        self._paused_until = self._unkept_until = 0.0
        self._is_closed = self._is_queued = self._is_started = False
        self._exchange: Exchange | None = None
        self._queries: list[str] = []
        self._dialect: Dialect | None = None
        self._facts: NodeFacts | None = None
        self._steps: Steps[Sample | None] | None = None
        self._sent: list[str] = []
        self._sent_at = (0.0, 0.0)
        self._took_s: float | None = None

    @property
    def read_until(self) -> FilePosition | None:
        """How far its log was read; None before the first read."""
        return self._tail.cursor

    @property
    def is_silent(self) -> bool:
        """Whether it did not respond when it was last polled."""
        return self.latest is not None and self.latest.facts.reach in (Reach.HUNG, Reach.UNKNOWN)

    def begin(self) -> bool:
        """Whether a poll is to be made now: none is running, and its login was not refused just before."""
        if self.busy_since is not None or time.monotonic() < self._paused_until:
            return False
        self.busy_since = time.monotonic()
        return True

    def seen(self) -> Polled | None:
        """The newest result; one whose poll runs for longer than it may is hung."""
        since = self.busy_since
        waited = 0.0 if since is None else time.monotonic() - since
        was_never_asked = self.latest is None and self._is_queued
        if waited > max(HUNG_AFTER_S, self._session.read_s) and not was_never_asked:
            return Polled(hung_facts(self.access, f"no response for {waited:.0f} s"), None, self._tail)
        return self.latest

    def start(self) -> None:
        """Make the poll; in the loop."""
        if not self._is_closed:
            self._guarded(self._start)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Whatever a server sends: the loop goes on, and the node is polled by a session."""
        try:
            step()
        except Exception:  # noqa: BLE001 - see above
            self._break()

    def _start(self) -> None:
        self._is_started = True
        if self._exchange is None or self._session.left_behind is not None:
            self._drop_exchange()
            self._wait(self._poll)
        else:
            self._facts, self._steps, self._took_s = None, None, None
            queries = self._queries[:-1] if self._leaves_channels() else self._queries
            self._send(queries, answers_limit_s(self._session.endpoint.round_trip_ms))

    def _leaves_channels(self) -> bool:
        return self.changes and (self.latest is None or may_end_when_read(self.latest.facts.version))

    def close(self) -> None:
        """End it after its poll; in the loop."""
        self._is_closed = True
        self._drop_exchange()
        if self.busy_since is None:
            self._session.close()

    # over the kept connection, in the loop

    def _send(self, statements: list[str], limit_s: float) -> None:
        exchange = self._exchange
        if exchange is None:
            return self._wait(self._poll)
        self._sent, self._sent_at = statements, (time.time(), time.monotonic())
        try:
            exchange.send(statements, by_name if self._steps is None else as_tuple, is_kept=self._steps is None)
        except _BROKEN:
            return self._break()
        return self._loop.wait(self, self._sent_at[1] + limit_s)

    def on_ready(self, at_s: float) -> None:
        """Read what has come in."""
        self._guarded(lambda: self._receive(at_s))

    def _receive(self, at_s: float) -> None:
        exchange = self._exchange
        if exchange is None:
            return
        if self._took_s is None:
            self._took_s = at_s - self._sent_at[1]
        try:
            is_complete = exchange.receive()
        except _BROKEN:
            self._break()
        else:
            if is_complete:
                self._loop.wait(self, None)
                self._take(exchange)

    def on_late(self) -> None:
        """The answer is not here in time: the connection is dropped, and the statement that may still run is known."""
        self._guarded(self._give_up)

    def _give_up(self) -> None:
        exchange = self._exchange
        if exchange is None or exchange.results is None:
            return
        rows, statements = exchange.results.rows, self._sent
        self._session.left_behind = exchange.number, statements[min(len(rows), len(statements) - 1)]
        self._drop_exchange()
        if self._steps is not None and self._facts is not None:
            self._finish(self._facts, None)
        elif not rows:
            limit_s = answers_limit_s(self._session.endpoint.round_trip_ms)
            facts = hung_facts(self.access, f"no response within {limit_s:g} s")
            self._finish(facts, None)
        else:
            self._take_part(rows)

    def _break(self) -> None:
        """A kept connection that broke tells nothing about the node: it is polled over a new one."""
        self._drop_exchange()
        self._tail.is_current = self._tail.is_current and self._steps is None
        if self._is_started:  # else the poll that was begun makes it, and two at once would share a session
            self._wait(self._poll)

    def _take(self, exchange: Exchange) -> None:
        results, exchange.results = exchange.results, None
        if results is None or self.busy_since is None:
            return self._break()  # an answer to nothing
        if self._steps is not None:
            return self._go_on(results.rows, results.error)
        facts = self._read(results.rows, self._sent_at[1] + HUNG_AFTER_S) if results.error is None else None
        if facts is None:
            self._unkept_until = time.monotonic() + UNKEPT_PAUSE_S
            self._drop_exchange()
            return self._wait(self._poll)
        return self._sample(facts)

    def _read(self, rows: list[list[Row]], deadline_s: float) -> NodeFacts | None:
        """The facts from these answers; None where they are to be asked for one by one."""
        asked = _Answered(self._session, deadline_s, dict(zip(self._sent, rows, strict=False)))
        asked.clock_at = self._sent_at[0], self._took_s or 0.0
        if self._exchange is not None:
            asked.readings = self._exchange.readings
        try:
            facts = read_facts(asked, self.access.ref, channels=self._sent[-1] == self._queries[-1])
        except LostError as error:
            return hung_facts(self.access, error.message)
        except (_UnansweredError, *_UNREADABLE):
            return None
        if facts.probe_ms is not None:
            self._session.set_distance(facts.probe_ms)
        return facts

    def _take_part(self, rows: list[list[Row]]) -> None:
        """Some statements were answered in time: the facts that they tell, and the log over a new connection."""
        facts = self._read(rows, 0.0)
        if facts is None or not facts.is_up:
            return self._finish(facts or hung_facts(self.access, "no response"), None)
        self.latest = Polled(facts, None, self._tail)
        return self._wait(lambda: self._finish(facts, self._sample_by_session(facts)))

    def _sample(self, facts: NodeFacts) -> None:
        self._facts = facts
        try:
            self._steps = sample_steps(dialect_of(facts), facts, self._tail)
            self._ask(next(self._steps))
        except StopIteration as ended:
            self._finish(facts, ended.value)
        except _UNREADABLE:
            self._tail.is_current = False
            self._finish(facts, None)

    def _ask(self, sql: str) -> None:
        """Send a statement about the log, and with it the one that most often follows."""
        self._send([sql] if sql == COUNTER else [sql, COUNTER], SAMPLE_BUDGET_S)

    def _go_on(self, rows: list[list[tuple[object, ...]]], error: tuple[int, str] | None) -> None:
        facts, steps = self._facts, self._steps
        if facts is None or steps is None:
            return
        try:
            if not rows:
                code, text = error or (0, "no answer")
                sql = steps.throw(NodeError(self.access.ref.name, f"error {code}: {text}", code=code))
            else:
                sql = steps.send(rows[0])
            if sql == COUNTER and len(rows) > 1:
                sql = steps.send(rows[1])
            self._ask(sql)
        except StopIteration as ended:
            self._finish(facts, ended.value)
        except _UNREADABLE:
            self._tail.is_current = False
            self._finish(facts, None)

    def _drop_exchange(self) -> None:
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            self._loop.remove(exchange.fileno(), self)
            exchange.close()

    # over a session, in a thread that waits

    def _wait(self, work: Work) -> None:
        def begun() -> None:
            self._is_queued = False
            try:
                work()
            except Exception as error:  # noqa: BLE001 - whatever it is: without a result the node is hung for good
                self._tail.is_current = False
                self._finish(NodeFacts(self.access.ref, time.time(), Reach.UNKNOWN, error=str(error)), None)

        self._is_queued = True
        self._submit(begun, self.is_silent)

    def _poll(self) -> None:
        facts = poll_node(self._session, self.access.ref, changes=self.changes)
        if facts.probe_ms is not None:
            self._session.set_distance(facts.probe_ms)
        if facts.reach is Reach.REFUSED:
            self._paused_until = time.monotonic() + REFUSED_PAUSE_S
        sample = self._sample_by_session(facts) if facts.is_up else None
        self._keep_connection(facts)
        self._finish(facts, sample)

    def _sample_by_session(self, facts: NodeFacts) -> Sample | None:
        try:
            return take_sample(self._session, dialect_of(facts), facts, self._tail)
        except _UNREADABLE:
            self._tail.is_current = False  # whatever a server shows: the next poll goes on
            return None

    def _keep_connection(self, facts: NodeFacts) -> None:
        """Log in for the polls that follow, where nothing of this one is still running."""
        is_well = facts.is_up and not facts.error and self._session.left_behind is None and not self._is_closed
        if not is_well or time.monotonic() < self._unkept_until:
            return
        try:
            self._dialect = dialect_to_watch(facts.flavor, facts.version)
            exchange = open_exchange(self.access.ref.name, self._session.endpoint, read_s=self._session.read_s)
        except _UNREADABLE:
            self._unkept_until = time.monotonic() + UNKEPT_PAUSE_S
            return
        self._queries = all_queries(self._dialect, files=True)
        self._session.close()
        self._loop.post(lambda: self._adopt(exchange))
        self._loop.wake()

    def _adopt(self, exchange: Exchange) -> None:
        if self._is_closed or self._exchange is not None:
            exchange.close()
            return
        self._exchange = exchange
        self._loop.add(exchange.fileno(), self)

    def _finish(self, facts: NodeFacts, sample: Sample | None) -> None:
        self._is_started, self._steps = False, None
        if facts.error == CHANGING and self.latest is not None:
            facts = replace(facts, channels=self.latest.facts.channels, error="")
        self.latest, self.busy_since = Polled(facts, sample, self._tail), None
        if self._is_closed:
            self._session.close()
        self._done(self)
