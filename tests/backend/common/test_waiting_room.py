"""Threads that wait for another service: a few, and one while it does not answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from backend.common.outgoing.waiting_room import MOST, WaitingRoom


class SilentError(Exception):
    """The service did not answer."""


def wait(room: WaitingRoom, error: type[Exception] | None = None) -> None:
    with room.place(LookupError, SilentError):
        if error is not None:
            raise error


def test_room__full__told_at_once_and_open_again() -> None:
    room = WaitingRoom()
    with ExitStack() as held:
        for _ in range(MOST):
            held.enter_context(room.place(LookupError, SilentError))
        with ThreadPoolExecutor() as others, pytest.raises(LookupError, match="too many wait"):
            others.submit(wait, room).result()
    wait(room)


def test_room__service_silent__one_waits_until_it_answers_again() -> None:
    room = WaitingRoom()
    with pytest.raises(SilentError):
        wait(room, SilentError)
    with room.place(LookupError, SilentError), pytest.raises(LookupError, match="does not answer"):
        wait(room)
    with room.place(LookupError, SilentError):
        wait(room)


def test_room__another_error__says_nothing_of_the_service() -> None:
    room = WaitingRoom()
    with pytest.raises(KeyError):
        wait(room, KeyError)
    with room.place(LookupError, SilentError):
        wait(room)
