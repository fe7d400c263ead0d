"""Transactions that both directions carry come back to where they were written, and are applied once more each time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.run import run_checks
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, derive
from backend.core.link_state.derive import LinkState
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from backend.core.stream_account import StreamAccount
from tests.core.builders.link_facts import context, link

CODE = "transactions_going_round"


def carrying(forward: dict[int, float], reverse: dict[int, float]) -> LinkFacts:
    """By server_id, how many seconds ago each direction carried a transaction of it."""
    facts = link()
    ago = dict(zip(("forward", "reverse"), (forward, reverse), strict=True))
    recorded = [
        replace(
            one,
            account=StreamAccount(
                carried={str(name): facts.observed_at_s - s for name, s in ago[one.direction.value].items()}
            ),
        )
        for one in facts.recorded
    ]
    return replace(facts, recorded=tuple(recorded))


def test_one_id_in_both_directions__degraded_told_and_no_switchover() -> None:
    facts = carrying({1: 0.5, 78: 1.0}, {11: 2.0, 78: 1.5})
    view = derive(facts, History(), 0.0)
    assert view.state is LinkState.DEGRADED
    assert "Transactions of server_id 78 go round between the sides." in view.sentence
    assert CODE in {one.code for one in view.findings}
    refusing = [one for one in run_checks(context(facts), SWITCHOVER_CHECKS) if one.severity is Severity.BLOCKER]
    assert CODE in {one.code for one in refusing}


@pytest.mark.parametrize(
    ("forward", "reverse"),
    [({78: 1.0}, {11: 1.0}), ({78: 1.0}, {}), ({78: 61.0}, {78: 1.0}), ({}, {})],
    ids=["each its own", "one way", "not at once", "idle"],
)
def test_no_id_in_both_directions__nothing(forward: dict[int, float], reverse: dict[int, float]) -> None:
    assert CODE not in {one.code for one in derive(carrying(forward, reverse), History(), 0.0).findings}
