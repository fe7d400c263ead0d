"""The automatic relocate's judgement: never on anything unknown, never twice in a block, never on a flap."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.automation import (
    IGNORED_FINDINGS,
    MAX_GAP_S,
    Action,
    Decision,
    LostEndpoint,
    Mode,
    Observation,
    Policy,
    WatchState,
    decide,
    required_attestations,
)
from backend.core.findings import Finding, Severity
from tests.core.builders.examples import examples

POLICY = Policy(Mode.EXECUTE, loss_for_s=30, block_s=600)
A1 = LostEndpoint("n_a1", "db-a1", 0.0)


def lost(at_s: float, *, since_s: float = 0.0) -> Observation:
    """The source is down and everything else is known."""
    return Observation(at_s, lost=(replace(A1, since_s=since_s),))


@dataclass
class Watch:
    """A link watched look by look, as the console does it."""

    policy: Policy
    memory: WatchState

    def see(self, sight: Observation) -> Decision:
        """One look; an act is noted."""
        decision = decide(self.policy, self.memory, sight)
        self.memory = decision.memory
        if decision.act is not Action.NOTHING:
            self.memory = replace(self.memory, acted_at_s=sight.at_s)
        return decision


def watched(*observations: Observation, policy: Policy = POLICY) -> list[Action]:
    """What was decided at each look."""
    watch = Watch(policy, WatchState())
    return [watch.see(sight).act for sight in observations]


def steadily(from_s: float, until_s: float, every_s: float = 5.0) -> list[Observation]:
    """Looks at a lasting loss."""
    return [lost(from_s + n * every_s) for n in range(int((until_s - from_s) / every_s) + 1)]


@pytest.mark.parametrize(("mode", "act"), [(Mode.EXECUTE, Action.EXECUTE), (Mode.PROPOSE, Action.PROPOSE)])
def test_decide__loss_lasting__acts_once_the_time_is_over_and_not_before(mode: Mode, act: Action) -> None:
    acts = watched(*steadily(100, 200), policy=replace(POLICY, mode=mode))
    assert acts.index(act) == 6
    assert acts.count(act) == 1
    assert set(acts) == {Action.NOTHING, act}


def test_decide__off__never() -> None:
    assert set(watched(*steadily(0, 1000), policy=replace(POLICY, mode=Mode.OFF))) == {Action.NOTHING}


def test_decide__back_for_one_observation__the_time_starts_again() -> None:
    acts = watched(*steadily(0, 25), Observation(30), *steadily(35, 60))
    assert set(acts) == {Action.NOTHING}
    assert watched(*steadily(0, 25), Observation(30), *steadily(35, 65))[-1] is Action.EXECUTE


def test_decide__was_back_between_two_observations__the_polls_say_so_and_the_time_starts_again() -> None:
    flapped = [replace(sight, lost=(replace(A1, since_s=22.0),)) for sight in steadily(25, 50)]
    assert set(watched(*steadily(0, 20), *flapped)) == {Action.NOTHING}


def test_decide__looks_too_far_apart__confirm_nothing() -> None:
    assert set(watched(lost(0), lost(MAX_GAP_S + 100), lost(MAX_GAP_S + 105))) == {Action.NOTHING}


def test_decide__second_end_lost_after_the_first__waits_for_both() -> None:
    both = [replace(s, lost=(A1, LostEndpoint("n_b1", "db-b1", 28.0))) for s in steadily(30, 55)]
    assert set(watched(*steadily(0, 25), *both)) == {Action.NOTHING}


@pytest.mark.parametrize(
    "change",
    [{"unknowns": ("db-b2 is hung.",)}, {"unfinished_run": "r_1"}, {"relocate": "blocked"}, {"relocate": "unknown"}],
    ids=str,
)
def test_decide__anything_in_the_way__nothing_and_says_why(change: dict[str, object]) -> None:
    watch = Watch(POLICY, WatchState())
    for sight in steadily(0, 25):
        watch.see(sight)
    decision = watch.see(replace(lost(30), **change))  # type: ignore[arg-type]
    assert decision.act is Action.NOTHING
    assert decision.reason


def test_decide__plan_could_not_be_used__waits_before_the_next() -> None:
    watch = Watch(POLICY, WatchState(retry_at_s=60.0))
    acts = [watch.see(sight).act for sight in steadily(0, 60)]
    assert acts.index(Action.EXECUTE) == 12


def test_decide__acknowledged__acts_again_within_the_block() -> None:
    watch = Watch(POLICY, WatchState())
    acts = [watch.see(sight).act for sight in steadily(0, 60)]
    watch.memory = replace(watch.memory, acknowledged_at_s=61.0)
    acts += [watch.see(sight).act for sight in steadily(65, 100)]
    assert acts.count(Action.EXECUTE) == 2


def test_held_by__warning_a_person_must_answer_for__holds() -> None:
    harmless = [Finding(code, Severity.WARNING, "w") for code in IGNORED_FINDINGS]
    assert (
        required_attestations([*harmless, Finding("x", Severity.OK, "fine"), Finding("y", Severity.INFO, "fine")]) == ""
    )
    assert required_attestations([*harmless, Finding("unreachable_node_attested", Severity.WARNING, "attested")])
    assert required_attestations([Finding("z", Severity.UNKNOWN, "not known")])


observations = st.builds(
    Observation,
    at_s=st.just(0.0),
    lost=st.sampled_from([(), (A1,), (A1, LostEndpoint("n_b1", "db-b1", 0.0))]),
    unknowns=st.sampled_from([(), (), (), ("something",)]),
    relocate=st.sampled_from(["ready", "ready", "ready", "blocked"]),
    unfinished_run=st.sampled_from([None, None, None, "r_1"]),
)
timed_observations = st.lists(st.tuples(observations, st.integers(1, 15)), min_size=1, max_size=40)


def _timed(steps: list[tuple[Observation, int]]) -> list[Observation]:
    """Looks some seconds apart; the polls know since when each end is lost."""
    at_s, since, out = 0.0, dict[str, float](), []
    for sight, wait_s in steps:
        at_s += wait_s
        ids = {end.node_id for end in sight.lost}
        since = {node: since.get(node, at_s) for node in ids}
        ends = tuple(replace(end, since_s=since[end.node_id]) for end in sight.lost)
        out.append(replace(sight, at_s=at_s, lost=ends))
    return out


@examples(300)
@given(timed_observations, st.sampled_from([5.0, 20.0, 60.0]), st.sampled_from([60.0, 300.0]))
def test_decide__any_history__acts_only_on_a_known_lasting_loss_and_never_twice_in_a_block(
    steps: list[tuple[Observation, int]], loss_for_s: float, block_s: float
) -> None:
    watch = Watch(Policy(Mode.EXECUTE, loss_for_s, block_s), WatchState())
    history, acted = _timed(steps), []
    for index, sight in enumerate(history):
        if watch.see(sight).act is Action.NOTHING:
            continue
        acted.append(sight.at_s)
        assert sight.lost
        assert not sight.unknowns
        assert sight.unfinished_run is None
        assert sight.relocate == "ready"
        lasting = [s for s in history[: index + 1] if s.at_s > sight.at_s - loss_for_s]
        for earlier in lasting:
            assert not earlier.unknowns
            assert {end.node_id for end in sight.lost} <= {end.node_id for end in earlier.lost}
    assert all(after - earlier >= block_s for earlier, after in itertools.pairwise(acted))


@examples(200)
@given(st.lists(st.tuples(st.integers(1, 14), st.integers(1, 10)), min_size=1, max_size=30))
def test_decide__flapping_faster_than_the_limit__never_acts(flaps: list[tuple[int, int]]) -> None:
    watch, at_s = Watch(Policy(Mode.EXECUTE, 15.0, 60.0), WatchState()), 0.0
    for down_s, up_s in flaps:
        since = at_s
        while at_s < since + down_s:
            assert watch.see(lost(at_s, since_s=since)).act is Action.NOTHING
            at_s += 1.0
        for _ in range(up_s):
            assert watch.see(Observation(at_s)).act is Action.NOTHING
            at_s += 1.0
