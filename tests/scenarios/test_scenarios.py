"""Facts in, plan out: both are kept as text and reviewed. `HAWSER_GOLDEN=write` writes them again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from backend.core.plan import Plan, Step, digest_of
from tests.scenarios import link_cases, side_cases  # noqa: F401 - they register their scenarios
from tests.scenarios.cases import CASES
from tests.scenarios.render import facts_text, plan_text
from tests.support.stored_text import compare

HERE = Path(__file__).parent
BEYOND_CHANNELS = {
    *("event_runs_on_the_old_side", "event_is_left_on_the_old_side", "event_ran_on_the_lost_side"),
    *("switchover_under_load", "switchover_that_rejects_clients", "switchover_node_of_the_old_side_down"),
    "failback_to_the_home_side",
    *("site_lost_everything_arrived", "site_lost_not_fenced_on_return", "site_lost_but_for_a_node_without_quorum"),
    *("returned_side_is_fenced_automatically", "returned_side_is_fenced_by_hand", "returned_side_is_attached"),
    *("orphans_are_replayed", "orphans_are_undone", "copied_side_is_attached"),
    *("open_standby_node_is_fenced", "standby_opened_again_by_another_program"),
    *("channels_of_equal_sides", "channels_of_equal_sides_with_verified_certificates", "channels_of_a_copy"),
    "new_history_is_accepted",
    "settings_are_changed",
    *("node_may_be_stopped", "node_may_be_stopped_its_donor_frozen"),
    "passwords_are_rotated",
}
"""Those that change roles, fences, rows, settings or accounts: their ways back are of other kinds."""
READY = {
    *BEYOND_CHANNELS,
    *("source_lost", "replica_lost", "both_lost", "planned_move_of_the_source", "planned_move_of_the_replica"),
    *("planned_move_of_both", "without_a_probe", "relay_log_to_apply_first", "stray_channel_is_removed"),
    *("stopped_on_what_was_applied_before", "channel_stopped_by_itself"),
    "source_lost_while_the_standby_lacks_a_transaction",
    "source_lost_after_unsafe_settings",
    *("gtid_source_lost", "gtid_planned_move_strict"),
    *("second_channel_is_cleaned", "unreachable_node_expelled", "unreachable_node_attested", "site_path_attested"),
    *("semi_synchronous_replica_moves_to_one_that_is_not", "semi_synchronous_pair_moves"),
    "replication_is_ended",
    "site_lost_under_load",
    "older_replica",
    "third_server_feeds_the_active_side",
    *("log_filter_on_the_next_source", "next_replica_skips_errors", "present_replica_skips_errors"),
}
"""All others are refused."""
REVERSIBLE = ("STOP SLAVE", "SET GLOBAL rpl_semi_sync_master_enabled=OFF", "REPLACE INTO hawser.probe ")


@cache
def made(name: str) -> tuple[str, Plan]:
    """The scenario's facts as text, and its plan."""
    world, plan = CASES[name]()
    return facts_text(world.facts()), plan


@pytest.mark.parametrize("name", CASES)
def test_scenario__facts__plan_as_reviewed(name: str) -> None:
    facts, plan = made(name)
    compare(HERE / name / "facts.txt", facts)
    compare(HERE / name / "plan.txt", plan_text(plan))


def test_digests__of_all_plans__as_stored() -> None:
    """They cover what the texts leave out: what a worker is given, targets and options."""
    compare(HERE / "digests.txt", "".join(f"{name} {made(name)[1].digest}\n" for name in sorted(CASES)))


@pytest.mark.parametrize("name", CASES)
def test_scenario__plan__ready_or_refused_as_listed_and_refused_means_no_steps(name: str) -> None:
    _, plan = made(name)
    assert plan.is_refused == (name not in READY)
    assert bool(plan.steps) == (name in READY)


@pytest.mark.parametrize("name", sorted(READY))
def test_scenario__made_twice__same_digest_and_survives_json(name: str) -> None:
    one, other = made(name)[1], CASES[name]()[1]
    assert one.digest == other.digest
    assert tuple(Step.from_json(s.to_json()) for s in one.steps) == one.steps
    assert digest_of(one.to_json()) == digest_of(other.to_json())


def test_folders__each_belongs_to_a_scenario__none_left_over() -> None:
    folders = {path.name for path in HERE.iterdir() if path.is_dir() and not path.name.startswith("__")}
    assert folders == set(CASES)


@pytest.mark.parametrize("name", sorted(READY - BEYOND_CHANNELS))
def test_plan__ready__exactly_one_way_back_is_closed_before_anything_irreversible(name: str) -> None:
    _, plan = made(name)
    first = next(s.index for s in plan.steps if s.point_of_no_return)
    before = [sql for step in plan.steps[:first] for sql in step.sql]
    assert all(sql.startswith(REVERSIBLE) for sql in before)
    # A stray channel is stopped for good, whatever becomes of the run; a row of our own says nothing.
    changing = [step for step in plan.steps[:first] if step.sql and step.code != "verify_commits"]
    assert all(bool(step.undo) is ("stray" not in step.title) for step in changing)
    assert _passwords_masked(plan)


def _passwords_masked(plan: Plan) -> bool:
    texts = [sql for step in plan.steps for sql in step.sql]
    return all("{{secret:replication}}" in sql for sql in texts if "PASSWORD" in sql)
