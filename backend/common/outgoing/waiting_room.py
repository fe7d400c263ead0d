"""Bounds the threads that wait for another service: a few, and a single one while it does not answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

MOST: Final = 4
"""Of the 40 threads of a web process. Each waits for a fraction of a second where the service works."""


class WaitingRoom:
    """One service; whoever finds no room is told so at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = 0
        self._is_silent = False

    @contextmanager
    def place(self, full: Callable[[str], Exception], *failures: type[Exception]) -> Iterator[None]:
        """Wait for the service here; without a place, raise what `full` makes of the reason.

        One of `failures` that ends the wait says that the service does not answer.
        """
        with self._lock:
            if self._waiting >= (1 if self._is_silent else MOST):
                raise full("it does not answer" if self._is_silent else "too many wait for it at the moment")
            self._waiting += 1
        is_silent = False
        try:
            yield
        except failures:
            is_silent = True
            raise
        finally:
            with self._lock:
                self._waiting -= 1
                self._is_silent = is_silent
