"""The automatic start's judgement: only the silent kind, never on anything unknown, never without a bound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.automatic_start import (
    HOUR_S,
    STOPPED_FOR_S,
    StartAct,
    StartDecision,
    StartMemory,
    StartObservation,
    StartPolicy,
    decide,
)

POLICY = StartPolicy(is_on=True, most_per_hour=2)
STANDS = StartObservation(0.0, standing=("the forward channel on db-b1",))


def looks(
    until_s: float, sight: StartObservation = STANDS, *, policy: StartPolicy = POLICY, memory: StartMemory | None = None
) -> tuple[list[float], StartDecision]:
    """When it acted, looking every five seconds, and the last decision; each act is noted."""
    memory_now, acted, at_s = memory or StartMemory(), [], 0.0
    while True:
        decision = decide(policy, memory_now, replace(sight, at_s=at_s))
        memory_now = decision.memory
        if decision.act is StartAct.START:
            acted.append(at_s)
            memory_now = replace(memory_now, acts_s=(*memory_now.acts_s, at_s), standing_since_s=None)
        if at_s >= until_s:
            return acted, decision
        at_s += 5.0


def test_decide__stands_long_enough__started_with_its_reason() -> None:
    acted, _ = looks(STOPPED_FOR_S)
    assert acted == [STOPPED_FOR_S]
    decision = decide(POLICY, StartMemory(5.0, 0.0), replace(STANDS, at_s=10.0))
    assert decision.reason == "The forward channel on db-b1 stopped without an error; its I/O thread still runs."


def starts_within_an_hour() -> int:
    """How often a channel that stops again at once is started within an hour."""
    return len(looks(HOUR_S - 5)[0])


def test_decide__stops_again_and_again__held_at_the_bound_and_told() -> None:
    assert starts_within_an_hour() == 2
    _, last = looks(600)
    assert last.act is StartAct.HELD
    assert "2 times within an hour" in last.reason


def test_decide__an_hour_later__started_again() -> None:
    acted, _ = looks(HOUR_S + 60)
    assert len(acted) > 2
    assert acted[2] - acted[0] >= HOUR_S


def acts_on(sight: StartObservation, policy: StartPolicy = POLICY) -> bool:
    """Whether it acts within a minute of such looks."""
    return looks(60, sight, policy=policy)[0] != []


@pytest.mark.parametrize(
    "sight",
    [
        replace(STANDS, standing=()),
        replace(STANDS, unknowns=("db-b2 is hung.",)),
        replace(STANDS, unfinished_run="r_1"),
        replace(STANDS, start="blocked"),
    ],
    ids=["runs", "unknown", "unfinished", "blocked"],
)
def test_decide__anything_in_the_way__nothing(sight: StartObservation) -> None:
    assert not acts_on(sight)


def test_decide__not_opted_in__nothing() -> None:
    assert not acts_on(STANDS, StartPolicy(is_on=False, most_per_hour=9))


def test_decide__looks_too_far_apart__confirm_nothing() -> None:
    first = decide(POLICY, StartMemory(), STANDS)
    assert decide(POLICY, first.memory, replace(STANDS, at_s=100.0)).act is StartAct.NOTHING
