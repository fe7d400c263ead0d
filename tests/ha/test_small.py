"""Web and monitor of one host are killed and frozen under load; the other host continues."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.ha.client import RetryingConsole
from tests.ha.drafts import Drafts
from tests.ha.events import Follower
from tests.ha.load import Load, lost, summary
from tests.ha.stack import HaStack
from tests.ha.targets import holder
from tests.support.waiting import patience, wait_for

RATE = 40.0
PATHS = ["/session", "/links", "/clusters", "/runs", "/roles"]
FROZEN_S = 8.0
STREAM_GAP_S = 20.0
"""A heartbeat every ten seconds, and a second to connect again."""


@pytest.mark.timeout(180)
def test_hosts__web_and_monitor_killed_then_web_frozen_under_load__every_call_answered_and_nothing_done_twice(
    small: HaStack, figures: dict[str, Any]
) -> None:
    client, began = small.client(), time.monotonic()
    console = RetryingConsole("", small.token, "", client=client)
    drafts, follower = Drafts(client), Follower(small.client()).start()
    load = Load(client, PATHS, drafts.turn, RATE, create_every=10)
    first = holder(console)
    with load.running():
        load.wait_calls()
        small.parts["web-1"].kill()
        small.parts[first].kill()
        struck = time.monotonic()
        wait_for(lambda: holder(console) not in ("", first), "the other monitor to write", pause_s=0.05)
        figures["monitor_takeover_s"] = round(time.monotonic() - struck, 1)
        small.parts["web-1"].start()
        small.parts[first].start()
        wait_for(small.apis[0].ready, "the first web to be back")
        small.parts["web-2"].freeze()
        time.sleep(FROZEN_S)
        small.parts["web-2"].thaw()
        wait_for(small.apis[1].ready, "the second web to answer again")
        load.wait_calls()
    follower.stop()
    figures["small"] = summary(client.calls, time.monotonic() - began)
    assert not lost(client.calls), lost(client.calls)
    assert drafts.doubtful == []
    assert drafts.left() == []
    assert len(drafts.created) > 0
    assert follower.longest_gap_s < STREAM_GAP_S * patience()
