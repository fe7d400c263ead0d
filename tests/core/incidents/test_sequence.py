"""The sequence of an incident, in whatever order its runs end, fail, stop or become unknown."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from backend.core.incidents.sequence import (
    FAILURES,
    IN_FLIGHT,
    MOST_AT_ONCE,
    Decision,
    Operation,
    Progress,
    Rules,
    Verdict,
    decide,
)
from tests.core.builders.examples import examples


def _of(*progress: Progress) -> list[Operation]:
    return [Operation(f"l{index}", one) for index, one in enumerate(progress)]


W, S, OK, F = Progress.WAITING, Progress.STARTED, Progress.SUCCEEDED, Progress.FAILED


@pytest.mark.parametrize(
    ("progress", "rules", "decision"),
    [
        ((W, W, W), Rules(), Decision(Verdict.START, ("l0",))),
        ((W, W, W), Rules(limit=2), Decision(Verdict.START, ("l0", "l1"))),
        ((S, W, W), Rules(limit=2), Decision(Verdict.START, ("l1",))),
        ((OK, S, W), Rules(), Decision(Verdict.WAIT)),
        ((OK, F, W), Rules(), Decision(Verdict.STOP, because="l1")),
        ((OK, F, W), Rules(stop_at_failure=False), Decision(Verdict.START, ("l2",))),
        ((OK, Progress.NEEDS_OPERATOR, W), Rules(stop_at_failure=False), Decision(Verdict.WAIT)),
        ((OK, S), Rules(), Decision(Verdict.WAIT)),
        ((OK, OK), Rules(), Decision(Verdict.END)),
        ((OK, F), Rules(stop_at_failure=False), Decision(Verdict.END)),
        ((), Rules(), Decision(Verdict.END)),
    ],
)
def test_decide__order_limit_and_results__say_what_is_next(
    progress: tuple[Progress, ...], rules: Rules, decision: Decision
) -> None:
    assert decide(_of(*progress), rules) == decision


@pytest.mark.parametrize("progress", sorted(FAILURES))
def test_decide__anything_but_a_success__stops_the_sequence(progress: Progress) -> None:
    assert decide(_of(progress, W), Rules(limit=8)).verdict is Verdict.STOP


def test_decide__limit_beyond_the_most__the_most() -> None:
    assert len(decide(_of(*[W] * 20), Rules(limit=99)).start) == MOST_AT_ONCE


class Incident(RuleBasedStateMachine):
    """Runs that end as they like, and a decider that is asked at any moment, also twice for the same state."""

    @initialize(count=st.integers(1, 7), limit=st.integers(1, 4), stop=st.booleans())
    def begin(self, count: int, limit: int, stop: bool) -> None:
        self.rules = Rules(limit, stop)
        self.progress = {f"l{index}": W for index in range(count)}
        self.started: list[str] = []
        self.has_failed = False

    @rule()
    def advance(self) -> None:
        """Everything that the decider names is started, once."""
        decision = decide([Operation(key, one) for key, one in self.progress.items()], self.rules)
        if decision.start:
            assert not (self.has_failed and self.rules.stop_at_failure)
        for key in decision.start:
            assert key not in self.started
            self.started.append(key)
            self.progress[key] = S
        if decision.verdict is Verdict.END:
            assert not {W, *IN_FLIGHT} & set(self.progress.values())

    @precondition(lambda self: S in self.progress.values())
    @rule(which=st.integers(0, 6), becomes=st.sampled_from([OK, OK, F, Progress.NEEDS_OPERATOR, Progress.UNKNOWN]))
    def change(self, which: int, becomes: Progress) -> None:
        """A run ends, stops for an operator, or nothing is known of it."""
        running = [key for key, one in self.progress.items() if one is S]
        self._set(running[which % len(running)], becomes)

    @precondition(lambda self: self.progress and W in self.progress.values())
    @rule()
    def refuse(self) -> None:
        """The plan that is next is refused as it is started, for example because the servers changed."""
        self._set(next(key for key, one in self.progress.items() if one is W), Progress.NOT_STARTED)

    def _set(self, key: str, becomes: Progress) -> None:
        self.progress[key] = becomes
        self.has_failed = self.has_failed or becomes in FAILURES

    @invariant()
    def never_more_than_the_limit(self) -> None:
        assert sum(one in IN_FLIGHT for one in self.progress.values()) <= self.rules.limit

    @invariant()
    def in_order(self) -> None:
        assert self.started == sorted(self.started)


TestIncident = Incident.TestCase
TestIncident.settings = settings(examples(40), stateful_step_count=20)
