"""What could not be stored under a key waits in the process until the database answers."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from rest_framework.response import Response

from backend.common.models import IdempotencyRecord
from backend.common.rest import idempotency, unstored_responses
from backend.common.rest.unstored_responses import Ending, UnstoredResponses
from tests.support.waiting import wait_for


def test_finish__database_lost_just_then__is_stored_when_it_is_back(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    record = IdempotencyRecord.objects.create(caller="zoe", key="k", fingerprint="f", owner="o")
    waiting = UnstoredResponses()
    monkeypatch.setattr(unstored_responses, "TRY_EVERY_S", 3600.0)
    monkeypatch.setattr(idempotency, "unstored", waiting)
    with monkeypatch.context() as lost:
        lost.setattr(Ending, "store", _lost)
        idempotency.finish(record, Response({"id": "r_1"}, status=202))
        waiting.flush()
    waiting.flush()
    record.refresh_from_db()
    assert (record.status, record.body) == (202, {"id": "r_1"})


def _lost(_: Ending) -> None:
    raise OperationalError(2006, "Server has gone away")


def test_waiting__database_back_after_two_tries__all_stored_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[int] = []
    tries = iter([False, False])

    def store(self: Ending) -> None:
        if next(tries, None) is not None:
            raise OperationalError(2013, "Lost connection")
        stored.append(int(self.key))

    monkeypatch.setattr(Ending, "store", store)
    monkeypatch.setattr(unstored_responses, "TRY_EVERY_S", 0.01)
    monkeypatch.setattr("backend.common.rest.unstored_responses.connection.close", lambda: None)
    waiting = UnstoredResponses()
    for number in range(3):
        waiting.add(Ending("zoe", str(number), "o", None))
    wait_for(lambda: len(stored) == 3, "all to be stored", 20, 0.01)
    assert stored == [0, 1, 2]


def test_waiting__more_than_a_process_keeps__the_oldest_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unstored_responses, "TRY_EVERY_S", 3600.0)
    waiting = UnstoredResponses()
    for number in range(unstored_responses.MOST + 3):
        waiting.add(Ending("zoe", str(number), "o", None))
    assert (len(waiting._waiting), waiting._waiting[0].key) == (unstored_responses.MOST, "3")
