"""Rules taken out under the simulation and the oracle, which know nothing of the single rule.

`python -m tests.core.seeded_bugs.harnesses RULE ...` says what both see without each of these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.core.builders.examples import examples
from tests.core.seeded_bugs.mutants import Copy, copy_with

WORLDS = 600
SET = 100
STEPS_EACH = 60
POSITIONS = 2500


@dataclass(frozen=True, slots=True)
class Harness:
    """`caught`: what its judge says without the rule; `silent`: rules without which it saw nothing wrong.

    `most`: how many worlds it looks at before it gives up; `seldom`: caught by chance in some, not dependably.
    """

    name: str
    run: Callable[[Copy, int], None]
    most: int
    caught: dict[str, str]
    silent: frozenset[str]
    seldom: frozenset[str] = frozenset()

    def cell(self, rule: str) -> str:
        """A part of the page's cell."""
        if rule in self.caught:
            return f"{self.name}: {self.caught[rule]}"
        if rule in self.seldom:
            return f"seldom by the {self.name}"
        return f"not by the {self.name}" if rule in self.silent else ""


def simulate(core: Copy, most: int) -> None:
    """The state machine of that copy, set by set; raises at the first broken invariant, else the first other error."""
    few = settings(_first_only(min(most, SET)), stateful_step_count=STEPS_EACH)
    broken: Exception | None = None
    for number in range(max(1, most // SET)):
        one = type(f"Simulation{number}", (core["tests.sim.machine"].Simulation,), {})  # other worlds by its name
        try:
            run_state_machine_as_test(one, settings=few)
        except AssertionError:
            raise
        except Exception as error:  # noqa: BLE001 - raised below: without its rule a copy may break before it is judged
            broken = broken or error
    if broken is not None:
        raise broken


def ask_oracle(core: Copy, most: int) -> None:
    """The oracle of that copy, which here says what is wrong."""
    oracle = core["tests.oracle.test_positions"]
    wrong = oracle.wrong

    def say(world: object, located: object) -> None:
        found = wrong(world, located)
        assert found is None, f"wrong position: {found}"

    oracle.wrong, oracle.examples, oracle.POSITIONS = say, _first_only, most
    oracle.too_rare, oracle.LEAST_BY_GTID = lambda seen, worlds: {}, 0  # so few worlds have not a share of everything
    oracle.test_oracle__any_logs__never_wrong_and_hardly_ever_refused_without_need(lambda name, value: None)


def _first_only(usual: int) -> settings:
    """The first counterexample will do, however large."""
    return settings(examples(usual, few=usual), phases=(Phase.generate,), report_multiple_bugs=False)


SIMULATION = Harness(
    "simulation",
    simulate,
    WORLDS,
    caught={
        "behind_the_point_of_no_return_nothing_is_undone": "I8",
        "changed_facts_send_nothing": "I10",
        "the_loop_guard_names_every_id_of_the_own_cluster": "I17",
    },
    seldom=frozenset(
        {
            "a_plan_past_its_time_sends_no_first_statement",
            "an_abort_takes_fences_down",
            "expired_plan_sends_nothing",
            "look_before_sending_again",
            "session_of_unknown_outcome_is_ended",
        }
    ),
    silent=frozenset(
        {
            "a_record_that_does_not_answer_is_no_verdict",
            "a_running_second_channel_refuses",
            "a_second_channel_is_no_success",
            "another_incarnation_is_another_history",
            "content_must_agree",
            "the_new_nodes_are_primary",
            "the_new_nodes_are_synced",
            "unread_channels_are_not_absent_channels",
            "a_left_over_channel_is_never_started_again",
            "a_lost_side_is_no_source_until_reconciled",
            "a_node_not_seen_may_run_a_channel",
            "a_node_that_takes_writes_is_not_fenced",
            "a_side_that_still_writes_is_not_fenced",
            "abort_and_point_of_no_return_exclude_each_other",
            "nobody_else_applies_when_a_channel_starts",
            "one_run_at_a_time",
            "the_last_group_must_stand_on_the_other_side",
            "the_old_channel_stands_where_it_stopped",
            "the_old_holder_forgets_its_channel",
        }
    ),
)
ORACLE = Harness(
    "oracle",
    ask_oracle,
    POSITIONS,
    caught={"a_lone_number_is_no_proof": "wrong position"},
    seldom=frozenset({"emptiness_proves_only_emptiness"}),
    silent=frozenset(
        {
            "a_receiver_that_ran_applied_nothing",
            "content_alone_is_searched_from_the_last_sample_on",
            "content_alone_must_be_unique",
            "content_must_agree",
            "different_places_refuse",
            "disagreement_refuses",
            "one_family_is_no_proof",
            "unknown_event_is_named",
            "what_a_killed_replica_says_of_itself_is_a_lower_bound",
        }
    ),
)
HARNESSES = (SIMULATION, ORACLE)


def also_caught(rule: str) -> str:
    """What the harnesses said without that rule."""
    return "; ".join(filter(None, (harness.cell(rule) for harness in HARNESSES)))


def main(names: list[str]) -> None:
    """Try each rule under both."""
    from tests.core.seeded_bugs.page import RULES

    for rule in (rule for rule in RULES if rule.name in names):
        for harness in HARNESSES:
            with copy_with(*rule.changes) as core:
                try:
                    harness.run(core, harness.most)
                    result = "nothing"
                except Exception as error:  # noqa: BLE001 - whatever it says is told
                    result = f"{type(error).__name__}: {error}".splitlines()[0]
            sys.stdout.write(f"{rule.name}: {harness.name}: {result[:200]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
