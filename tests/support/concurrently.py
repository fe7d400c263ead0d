"""Another process at work in the console's database while a test does its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from backend.common.transaction_retry import is_unavailable
from tests.support.waiting import patience

Act = Callable[[], object]


@contextmanager
def meanwhile(first: Act, then: Act, *, is_ended: bool = False) -> Iterator[None]:
    """Another process's transaction: its first act is done when the block begins, the rest comes later."""
    is_begun = threading.Event()
    raised: list[Exception] = []

    def work() -> None:
        try:
            with transaction.atomic():
                first()
                is_begun.set()
                then()
        except Exception as error:  # noqa: BLE001 - told by the test's own thread
            raised.append(error)
        finally:
            is_begun.set()
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    is_begun.wait(60 * patience())
    try:
        yield
    finally:
        thread.join(60 * patience())
    assert [is_unavailable(error) for error in raised] == [True] * is_ended, raised


def concurrently(*acts: Act) -> None:
    """All at once, each in a thread and over a connection of its own."""
    barrier = threading.Barrier(len(acts))

    def work(act: Act) -> None:
        try:
            barrier.wait(60 * patience())
            act()
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90 * patience())
