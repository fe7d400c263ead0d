"""Waits of the tests: the first true answer, and words for what did not come."""

from __future__ import annotations

import pytest

from tests.support import waiting
from tests.support.waiting import wait_for


class Time:
    """A clock that the pauses move on."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        """Now."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The time of the waits, with the usual patience."""
    found = Time()
    monkeypatch.setattr(waiting, "time", found)
    monkeypatch.delenv("HAWSER_PATIENCE", raising=False)
    return found


def test_wait_for__answers_come__returns_the_first_that_is_true(clock: Time) -> None:
    answers = iter([None, [], "here", "later"])

    assert wait_for(lambda: next(answers), "the answer", pause_s=0.5) == "here"
    assert clock.now == 1.0


def test_wait_for__never_true__says_what_was_waited_for_and_what_was_there(clock: Time) -> None:
    with pytest.raises(AssertionError, match=r"^waited 60 s for the node to be up; last seen: \[\]"):
        wait_for(list, "the node to be up")
    assert clock.now == pytest.approx(60, abs=0.3)
