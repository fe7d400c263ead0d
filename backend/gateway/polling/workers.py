"""A fixed number of threads for what has to wait: logins, and polls of nodes that do not answer as they should."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

Work = Callable[[], None]


class Workers:
    """Threads that are started as they are needed, never more than `most`; they never outlive the process."""

    def __init__(self, name: str, most: int) -> None:
        self._name, self._most = name, most
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0

    def submit(self, work: Work) -> None:
        """Do it as soon as a thread is free; `work` does not raise."""
        with self._lock:
            self._queue.put(work)
            if self._idle > 0:
                self._idle -= 1
            elif self._threads < self._most:
                self._threads += 1
                name = f"{self._name}-{self._threads}"
                threading.Thread(target=self._loop, daemon=True, name=name).start()

    def close(self) -> None:
        """End the threads after their work."""
        with self._lock:
            for _ in range(self._threads):
                self._queue.put(None)

    def _loop(self) -> None:
        while (work := self._queue.get()) is not None:
            work()
            with self._lock:
                self._idle += self._queue.empty()
