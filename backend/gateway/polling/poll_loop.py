"""One thread that waits for the answers of all nodes at once, and reads them as they come in."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

SENT_AT_ONCE = 8
"""Between two looks at what has come in: a poll's round trip is measured by when its answer is seen."""
_LOOKED_AT_S = 0.05


class Awaiting(Protocol):
    """Who is told of an answer; nothing of it raises or waits."""

    def on_ready(self, at_s: float) -> None: ...
    def on_late(self) -> None: ...


class PollLoop:
    """Calls back in its own thread; `post` is for the others.

    `pause_s` is asked how long to wait before it looks again: a stream that never ends costs less so.
    """

    def __init__(self, pause_s: Callable[[], float] | None = None) -> None:
        self._pause_s = pause_s
        self._calls: deque[Callable[[], None]] = deque()
        self._waits: dict[Awaiting, float] = {}
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def post(self, call: Callable[[], None]) -> None:
        """Call it in the loop's thread, each in its turn; at once where that has ended."""
        if self._is_closed and (self._thread is None or not self._thread.is_alive()):
            return call()
        self._calls.append(call)
        with self._starting:
            if self._thread is None:
                self._start()
        return None

    def _start(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()
        self._woken.settimeout(0)
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._thread = threading.Thread(target=self._run, daemon=True, name="poll-loop")
        self._thread.start()

    def wake(self) -> None:
        """Take what was posted now."""
        with suppress(OSError):  # the loop has ended
            self._wake.send(b"w")

    def add(self, fileno: int, who: Awaiting) -> None:
        """Tell `who` of whatever comes in there."""
        self._selector.register(fileno, selectors.EVENT_READ, who)

    def remove(self, fileno: int, who: Awaiting) -> None:
        """The reverse, before it is closed."""
        self._waits.pop(who, None)
        self._selector.unregister(fileno)

    def wait(self, who: Awaiting, until_s: float | None) -> None:
        """Tell `who` if it is still waiting then (monotonic); None for "no more"."""
        if until_s is None:
            self._waits.pop(who, None)
        else:
            self._waits[who] = until_s

    def close(self) -> None:
        """End the thread."""
        self._is_closed = True
        if self._thread is not None:
            self.wake()
            self._thread.join(1.0)

    def _run(self) -> None:
        looked_s = 0.0
        while not self._is_closed:
            if self._pause_s is not None:
                time.sleep(self._pause_s())
            ready = self._selector.select(0 if self._calls else _LOOKED_AT_S if self._waits else None)
            now = time.monotonic()
            for key, _ in ready:
                self._notify(key.data, now)
            for _ in range(min(SENT_AT_ONCE, len(self._calls))):
                self._calls.popleft()()
            if now - looked_s > _LOOKED_AT_S:
                looked_s = now
                for who in [who for who, until_s in self._waits.items() if until_s < now]:
                    self._waits.pop(who, None)
                    who.on_late()
        self._end()

    def _notify(self, who: Awaiting | None, now: float) -> None:
        if who is None:
            self._woken.recv(4096)
        else:
            who.on_ready(now)

    def _end(self) -> None:
        while self._calls:
            self._calls.popleft()()
        self._selector.close()
        self._wake.close()
        self._woken.close()
