"""When a worker counts as deaf."""

from __future__ import annotations

import pytest

from backend.common.broker_queue import waiting_messages
from backend.operations.runs.execution.broker_watchdog import CHECK_EVERY_S, UNRESPONSIVE_AFTER_S, BrokerWatchdog

LOOKS = int(UNRESPONSIVE_AFTER_S / CHECK_EVERY_S)


@pytest.mark.parametrize(
    ("at_half", "is_unresponsive"),
    [((1, False), True), ((0, False), False), ((1, True), False)],
    ids=["nothing", "a message taken", "a run under way"],
)
def test_is_unresponsive__messages_wait_for_an_idle_worker__once_every_look_for_a_minute_found_it(
    at_half: tuple[int, bool], is_unresponsive: bool
) -> None:
    clock = [0.0]
    watchdog = BrokerWatchdog(lambda: clock[0])
    for number in range(LOOKS):
        waiting, is_busy = at_half if number == LOOKS // 2 else (1, False)
        assert not watchdog.is_unresponsive(waiting=waiting, is_busy=is_busy)
        clock[0] += CHECK_EVERY_S
    assert watchdog.is_unresponsive(waiting=1, is_busy=False) is is_unresponsive


def test_waiting_messages__redis_does_not_answer__none_are_known(settings: object) -> None:
    settings.HAWSER_REDIS_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]
    assert waiting_messages() is None
