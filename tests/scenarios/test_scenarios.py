"""Facts in, plan out: both are kept as text and reviewed. `HAWSER_GOLDEN=write` writes them again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from backend.core.plan import Plan, Step, digest_of
from tests.scenarios.cases import CASES
from tests.scenarios.render import facts_text, plan_text

HERE = Path(__file__).parent
TURNED = {"event_runs_on_the_old_side", "event_is_left_on_the_old_side", "event_ran_on_the_lost_side"}
"""Those that change the active side."""
READY = {
    *TURNED,
    *("source_lost", "replica_lost", "both_lost", "planned_move_of_the_source", "planned_move_of_the_replica"),
    *("planned_move_of_both", "without_a_probe", "relay_log_to_apply_first", "stray_channel_is_removed"),
    *("stopped_on_what_was_applied_before", "channel_stopped_by_itself"),
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


def compare(path: Path, text: str) -> None:
    """Against the text that was reviewed."""
    if os.environ.get("HAWSER_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", CASES)
def test_scenario__facts__plan_as_reviewed(name: str) -> None:
    world, plan = CASES[name]()
    compare(HERE / name / "facts.txt", facts_text(world.facts()))
    compare(HERE / name / "plan.txt", plan_text(plan))


@pytest.mark.parametrize("name", CASES)
def test_scenario__plan__ready_or_refused_as_listed_and_refused_means_no_steps(name: str) -> None:
    _, plan = CASES[name]()
    assert plan.is_refused == (name not in READY)
    assert bool(plan.steps) == (name in READY)


@pytest.mark.parametrize("name", sorted(READY))
def test_scenario__made_twice__same_digest_and_survives_json(name: str) -> None:
    one, other = CASES[name]()[1], CASES[name]()[1]
    assert one.digest == other.digest
    assert tuple(Step.from_json(s.to_json()) for s in one.steps) == one.steps
    assert digest_of(one.to_json()) == digest_of(other.to_json())


def test_folders__each_belongs_to_a_scenario__none_left_over() -> None:
    folders = {path.name for path in HERE.iterdir() if path.is_dir() and not path.name.startswith("__")}
    assert folders == set(CASES)


@pytest.mark.parametrize("name", sorted(READY - TURNED))
def test_plan__ready__exactly_one_way_back_is_closed_before_anything_irreversible(name: str) -> None:
    _, plan = CASES[name]()
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
