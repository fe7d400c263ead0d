"""Calls at a fixed rate through the proxy: mostly reads, some that create."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.galera.console import Json
from tests.ha.client import Attempted, Client
from tests.support.waiting import wait_for

Create = Callable[[int], None]
"""Makes the calls of a creating turn; it is told the turn's number."""


@dataclass
class Load:
    """So many calls a second from so many threads; one of `create_every` is the creating one."""

    client: Client
    paths: list[str]
    create: Create
    rate: float
    create_every: int
    threads: int = 16
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def running(self) -> Iterator[None]:
        """For the length of a block; every call that began is seen to its end."""
        self._over.clear()
        workers = [threading.Thread(target=self._work, args=(n,), daemon=True) for n in range(self.threads)]
        for worker in workers:
            worker.start()
        try:
            yield
        finally:
            self._over.set()
            for worker in workers:
                worker.join()

    def wait_calls(self, count: int = 100) -> None:
        """So many more calls were answered."""
        before = self._answered()
        wait_for(lambda: self._answered() >= before + count, f"{count} calls")

    def _answered(self) -> int:
        return sum(call.status != 0 for call in list(self.client.calls))

    def _work(self, number: int) -> None:
        due, count = time.monotonic() + number / self.rate, number
        while not self._over.wait(max(0.0, due - time.monotonic())):
            if count % self.create_every == 0:
                self.create(count)
            else:
                self.client.call("GET", self.paths[count % len(self.paths)])
            count += self.threads
            # A call that waited is not caught up with: the rate is that of a client, not of a queue.
            due = max(due + self.threads / self.rate, time.monotonic())


def lost(calls: list[Attempted]) -> list[Attempted]:
    """Calls that were not answered by a success in the end; 429 tells a client to come later, and loses nothing."""
    return [call for call in calls if not 200 <= call.status < 300 and call.status != 429]


def summary(calls: list[Attempted], seconds: float) -> Json:
    """Figures of a stretch of load."""
    took = sorted(call.took_s for call in calls) or [0.0]
    return {
        "calls": len(calls),
        "per_s": round(len(calls) / seconds, 1),
        "repeated": sum(len(call.tries) > 1 for call in calls),
        "tries_failed": dict(Counter(f"{call.method} {each}" for call in calls for each in call.tries[:-1])),
        "lost": len(lost(calls)),
        "p50_ms": round(took[len(took) // 2] * 1000),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000),
        "longest_s": round(took[-1], 1),
    }
