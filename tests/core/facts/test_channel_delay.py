"""A channel that applies late on purpose: said on the page and in plans, and no switchover waits for it."""

from __future__ import annotations

import pytest

from backend.core.checks.run import Check, run_checks
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, derive
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.switchover import FAILBACK_CHECKS, SWITCHOVER_CHECKS
from tests.core.builders.link_facts import context, link, node_of, with_channel

CODE = "channel_delayed"


def delayed(column: str, value: str) -> LinkFacts:
    """The channel on b1 has this delay."""
    (channel,) = node_of(link(), "b1").channels or ()
    others = {name: text for name, text in channel.options.items() if name != "SQL_Delay"}
    return with_channel(link(), "b1", options={**others, column: value})


def said(facts: LinkFacts, checks: tuple[Check, ...]) -> list[Severity]:
    return [one.severity for one in run_checks(context(facts), checks) if one.code == CODE]


@pytest.mark.parametrize(("column", "word"), [("SQL_Delay", "MASTER_DELAY"), ("DESIRED_DELAY", "SOURCE_DELAY")])
def test_delay__told_on_the_page__and_a_switchover_is_refused(column: str, word: str) -> None:
    facts = delayed(column, "3600")
    (found,) = (one for one in derive(facts, History(), 0.0).findings if one.code == CODE)
    assert found.severity is Severity.WARNING
    assert f"on b1 holds each transaction back for 3,600 seconds ({word}=3600)" in found.message
    for checks in (SWITCHOVER_CHECKS, FAILBACK_CHECKS):
        assert said(facts, checks) == [Severity.BLOCKER]
    for checks in (RELOCATE_CHECKS, FAILOVER_CHECKS):
        assert said(facts, checks) == [Severity.WARNING]


def test_no_delay__nothing_is_said() -> None:
    facts = delayed("SQL_Delay", "0")
    assert CODE not in {one.code for one in derive(facts, History(), 0.0).findings}
    assert said(facts, SWITCHOVER_CHECKS) == []
