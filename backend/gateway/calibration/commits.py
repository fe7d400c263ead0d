"""Writers that commit single rows to the table of measurements until a bound is reached."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field

from backend.core.adviser.calibration.bounds import MOST_COMMIT_MS, Bounds
from backend.core.adviser.calibration.commits import Step
from backend.core.adviser.calibration.decision import Progress, Reason
from backend.core.adviser.calibration.table import CLEAN_SQL, CREATE_SQL, insert_sql
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import Unknown
from backend.core.ports import NodeError
from backend.gateway.calibration.node import READ_S, FlowControl, latency_of, round_trip_ms, status_of, window_of
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.parallel_reads import side_by_side
from backend.gateway.reader import Reader
from backend.gateway.writer import Writer

LOOK_S = 0.1
STATEMENT_S = 5.0
Watch = Callable[[Progress], Reason | None]


@dataclass
class Written:
    """What was measured; `stopped` says why it ended before all rows were written, `left` why rows stayed."""

    steps: list[Step] = field(default_factory=list)
    stopped: Reason | None = None
    left: str = ""
    console_ms: float | None = None
    latency: GroupLatency | Unknown = field(default_factory=lambda: Unknown("It was not read."))
    window: int | Unknown = field(default_factory=lambda: Unknown("It was not read."))


@contextmanager
def table(access: NodeAccess, left: Callable[[str], None]) -> Iterator[Writer]:
    """The empty table of measurements, and an empty one again at the end; `left` is told why not."""
    with closing(Writer(access.ref, access.operator)) as writer:
        for sql in (CREATE_SQL, CLEAN_SQL):
            writer.execute(sql, secrets={}, timeout_s=STATEMENT_S)
    try:
        with closing(Writer(access.ref, access.operator)) as writer:
            yield writer
    finally:
        try:
            with closing(Writer(access.ref, access.operator)) as writer:
                writer.execute(CLEAN_SQL, secrets={}, timeout_s=STATEMENT_S)
        except NodeError as error:
            left(error.message)


def write_commits(access: NodeAccess, token: str, bounds: Bounds, watch: Watch) -> Written:
    """Step by step with more writers; raises NodeError where nothing was written."""
    found = Written()
    with closing(Reader(access.ref, access.monitor, read_s=READ_S)) as reader:
        found.console_ms, found.window = round_trip_ms(reader), window_of(reader)
        with (
            table(access, lambda why: setattr(found, "left", why)),
            _connections(access, max(bounds.writers)) as opened,
        ):
            flow, began, numbers = FlowControl(reader), time.monotonic(), itertools.count(1)
            flow.paused()
            for writers in bounds.writers:
                step = _Step(token, bounds, opened[:writers], numbers)
                found.stopped = step.run(
                    lambda slowest: watch(Progress(time.monotonic() - began, slowest, flow.paused()))
                )
                found.steps.append(step.result())
                if found.stopped is not None:
                    break
            found.latency = _latency(reader)
    return found


@contextmanager
def _connections(access: NodeAccess, number: int) -> Iterator[list[Writer]]:
    """So many, opened in parallel and before the time counts: over a distance each takes about eight round trips."""
    with ExitStack() as stack:
        opened = side_by_side(
            lambda _: stack.enter_context(closing(Writer(access.ref, access.operator))), range(number)
        )
        yield opened


def _latency(reader: Reader) -> GroupLatency | Unknown:
    try:
        return latency_of(status_of(reader))
    except NodeError as error:
        return Unknown(f"The node did not say how long deliveries took: {error.message}.")


class _Step:
    """So many writers at a time; each has a connection of its own."""

    def __init__(self, token: str, bounds: Bounds, writers: Sequence[Writer], numbers: Iterator[int]) -> None:
        self._token, self._bounds, self._writers = token, bounds, writers
        self._numbers, self._lock = numbers, threading.Lock()
        self._left = bounds.rows
        self._commits: list[float] = []
        self._since: dict[int, float] = {}
        self._errors: list[str] = []
        self._end = threading.Event()
        self._took = 0.0

    def run(self, watch: Callable[[float], Reason | None]) -> Reason | None:
        """Until all rows are written, its share of the time is over (both regular), or something says stop."""
        try:
            return self._watched(watch)
        finally:
            self._end.set()

    def _watched(self, watch: Callable[[float], Reason | None]) -> Reason | None:
        threads = [threading.Thread(target=self._write, args=pair, daemon=True) for pair in enumerate(self._writers)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        reason: Reason | None = None
        while any(thread.is_alive() for thread in threads):
            if reason is None and (reason := watch(self._slowest())) is not None:
                self._end.set()
            if time.monotonic() - began >= self._bounds.step_s:
                self._end.set()
            threads[0].join(LOOK_S) if threads[0].is_alive() else time.sleep(LOOK_S / 10)
            if self._end.is_set():
                for thread in threads:
                    thread.join(MOST_COMMIT_MS / 1000 + READ_S)
                break
        self._took = self._took or time.monotonic() - began
        if reason is None and self._errors:
            return Reason("node_error", f"{self._writers[0].node.name}: {self._errors[0]}.")
        return reason

    def _write(self, index: int, writer: Writer) -> None:
        began = time.monotonic()
        while not self._end.is_set() and (number := self._next()) is not None:
            self._since[index] = time.monotonic()
            try:
                taken = writer.commit_ms(
                    insert_sql(self._token, number, self._bounds.row_bytes), timeout_s=MOST_COMMIT_MS / 1000
                )
            except NodeError as error:
                self._errors.append(error.message)
                self._end.set()
                return
            with self._lock:
                self._commits.append(taken)
                self._took = time.monotonic() - began
            self._since.pop(index, None)

    def _next(self) -> int | None:
        with self._lock:
            if self._left == 0:
                return None
            self._left -= 1
            return next(self._numbers)

    def _slowest(self) -> float:
        """The slowest commit in ms, those that are still waited for among them."""
        now = time.monotonic()
        waiting = [(now - at) * 1000 for at in list(self._since.values())]
        with self._lock:
            return max([*self._commits, *waiting], default=0.0)

    def result(self) -> Step:
        """What the writers reached."""
        return Step(len(self._writers), self._took, tuple(self._commits))
