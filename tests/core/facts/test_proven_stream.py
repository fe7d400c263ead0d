"""Links whose channels run and whose streams were not accounted for lately."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.checks.run import run_checks
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, LinkState, LinkView, derive
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from backend.core.stream_account import Fault, StreamAccount, Unaccounted
from backend.core.topology import Direction
from tests.core.builders.link_facts import context, down, link

UNPROVEN, PROVEN = "stream_unproven", "stream_proven"


def proven(ago_s: float | None, reverse_ago_s: float | None = 0.0, *, begun: bool = False) -> LinkFacts:
    """The link whose accounts last stood so long ago, or, `begun`, were begun then."""
    facts, ago = link(), {Direction.FORWARD: ago_s, Direction.REVERSE: reverse_ago_s}
    stood = {one: None if seconds is None else facts.observed_at_s - seconds for one, seconds in ago.items()}
    field = "awaited_s" if begun else "until_s"
    accounts = {one: StreamAccount(**{field: at_s}) for one, at_s in stood.items()}  # type: ignore[arg-type]
    return replace(facts, recorded=tuple(replace(one, account=accounts[one.direction]) for one in facts.recorded))


def view_of(facts: LinkFacts) -> LinkView:
    return derive(facts, History(), facts.observed_at_s)


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("ago_s", [0.0, 60.0, None])
def test_link__proven_lately_or_not_polled_yet__protected(ago_s: float | None, begun: bool) -> None:
    view = view_of(proven(ago_s, begun=begun))
    assert view.state is LinkState.PROTECTED
    assert UNPROVEN not in [one.code for one in view.findings]


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize(
    ("forward", "reverse", "receiving", "source"),
    [
        (200.0, 0.0, "cluster-b", "cluster-a"),
        (0.0, 200.0, "cluster-a", "cluster-b"),
        (200.0, 900.0, "cluster-b", "cluster-a"),
    ],
)
def test_link__not_proven_for_longer__unproven_and_said(
    forward: float, reverse: float, receiving: str, source: str, begun: bool
) -> None:
    facts = proven(forward, reverse, begun=begun)
    view = view_of(facts)
    text = f"It has not been proven for 3 min that {receiving} holds what {source} sends."
    assert view.state is LinkState.UNPROVEN
    assert view.sentence.startswith(text)
    assert "in sync" not in view.sentence
    (found,) = [one for one in view.findings if one.code == UNPROVEN]
    assert (found.severity, found.message.startswith(text)) == (Severity.WARNING, True)
    for checks in (SWITCHOVER_CHECKS, RELOCATE_CHECKS, FAILOVER_CHECKS):
        (told,) = [one for one in run_checks(context(facts), checks) if one.code == UNPROVEN]
        assert not told.refuses


def test_link__bound_is_longer__protected() -> None:
    assert view_of(replace(proven(200.0), proven_within_s=200.0)).state is LinkState.PROTECTED


def test_link__not_proven_and_not_whole__the_other_trouble_is_told() -> None:
    view = view_of(down(proven(200.0), "a2"))
    assert view.state is LinkState.DEGRADED
    assert "a2" in view.sentence
    assert "proven" not in view.sentence


def stands(**account: object) -> LinkFacts:
    """The link whose forward stream is accounted for, of which nothing is known backwards."""
    facts = link()
    span = StreamAccount(**{"since_s": facts.observed_at_s - 60, "until_s": facts.observed_at_s - 1, **account})  # type: ignore[arg-type]
    none = StreamAccount()
    return replace(
        facts,
        recorded=tuple(
            replace(one, account=span if one.direction is Direction.FORWARD else none) for one in facts.recorded
        ),
    )


@pytest.mark.parametrize("checks", [SWITCHOVER_CHECKS, RELOCATE_CHECKS, FAILOVER_CHECKS])
def test_plan__account_stands__says_since_when_and_until_when(checks: Any) -> None:
    [found] = [one for one in run_checks(context(stands(groups=12431, compared=12000)), checks) if one.code == PROVEN]
    assert found.severity is Severity.OK
    assert "cluster-a to cluster-b: each of the 12,431 transactions passed from " in found.message
    assert found.message.endswith(" stands on both sides, 12,000 compared row by row.")


@pytest.mark.parametrize(
    "account",
    [
        {"since_s": None, "until_s": None},
        {"until_s": 0.0, "since_s": 0.0},
        {"unaccounted": (Unaccounted(Fault.MISSING, "a1", "0-1-1", 1, 1, "b.1:4", "b.1:9", 0.0),)},
    ],
    ids=["no span", "too long ago", "one is missing"],
)
def test_plan__account_does_not_stand__nothing_is_called_proven(account: Any) -> None:
    assert PROVEN not in [one.code for one in run_checks(context(stands(**account)), SWITCHOVER_CHECKS)]
