"""Each part is killed, frozen and cut off while a link is moved and calls come; no move fails and no call is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from tests.galera.stack import wait_for
from tests.ha.client import Client, RetryingConsole
from tests.ha.load import Load
from tests.ha.moves import Mover
from tests.ha.stack import HaStack
from tests.ha.targets import HARMS, TARGETS, restore, strike
from tests.ha.under_load import UnderLoad

RATE = float(os.environ.get("HAWSER_HA_RATE", "200"))
"""Calls a second; two cores that also carry nine database nodes answer fewer."""
LASTS_S = {"kill": 10.0, "freeze": 30.0, "cut": 30.0}


@pytest.fixture
def console(whole: HaStack) -> RetryingConsole:
    """Every part up, the link protected."""
    caller = RetryingConsole("", whole.token, whole.link_id, client=whole.client())
    wait_for(lambda: caller.call("GET", "/readyz").body.get("status") == "ready", 120, "all parts to be ready", 0.5)
    wait_for(lambda: caller.link()["state"] == "protected", 120, "the link to be protected", 0.5)
    return caller


@pytest.fixture
def calls(whole: HaStack, console: RetryingConsole) -> Load:
    """The load, not yet running."""
    client = whole.client()
    link = console.link_id
    paths = [f"/links/{link}", "/links", "/runs", "/session", "/healthz", f"/links/{link}/history", "/roles"]
    return Load(client, paths, lambda _: planned(client, link), RATE, create_every=200)


def planned(client: Client, link: str) -> None:
    """A plan of the load; a run under way or a node that moves may refuse it, and that is an answer, too."""
    client.call("POST", f"/links/{link}/plans", {"kind": "relocate", "reason": "load", "options": {}})


@pytest.fixture
def under_load(whole: HaStack, console: RetryingConsole, calls: Load, figures: dict[str, Any]) -> UnderLoad:
    """What a case is judged by."""
    return UnderLoad(whole, console, calls, figures)


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("target", TARGETS)
def test_part__struck_while_a_link_is_moved__moves_verified_and_every_call_answered(
    under_load: UnderLoad, target: str, harm: str
) -> None:
    def struck(mover: Mover) -> Callable[[], object]:
        found = TARGETS[target](under_load.stack, mover)
        strike(found, harm)
        return lambda: restore(found, harm)

    under_load.judge(f"{target}, {harm}", struck, LASTS_S[harm])
