"""Clocks of the product that a test sets."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import ModuleType

import pytest
from django.utils import timezone

from backend.common import database_clock


class StillTime:
    """Stands for the module `time` in one module of the product: passes only when a test or that module says so."""

    def __init__(self, now_s: float = 1_800_000_000.0) -> None:
        self.now_s = now_s
        self.computed_s = 0.0
        self.slept: list[float] = []

    def time(self) -> float:
        """Unix time."""
        return self.now_s

    def monotonic(self) -> float:
        """The same clock."""
        return self.now_s

    def thread_time(self) -> float:
        """What the thread computed."""
        return self.computed_s

    def compute(self, seconds: float) -> None:
        """Pass while the thread computes."""
        self.now_s += seconds
        self.computed_s += seconds

    def sleep(self, seconds: float) -> None:
        """Pass at once."""
        self.slept.append(seconds)
        self.now_s += seconds


def stop_clock(monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> StillTime:
    """The clock of these modules, standing still."""
    still = StillTime()
    for module in modules:
        monkeypatch.setattr(module, "time", still)
    return still


def stop_present(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """The present, standing still, for this process and as its database tells it."""
    present = timezone.now()
    monkeypatch.setattr(database_clock, "now", lambda: present)
    monkeypatch.setattr(timezone, "now", lambda: present)
    return present


def skewed(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    """This process is ahead from now on, by as much behind where negative; the database has the right time."""
    real = timezone.now
    monkeypatch.setattr(database_clock, "now", real)
    monkeypatch.setattr(timezone, "now", lambda: real() + ahead)
