"""Runbooks that are followed by hand: nothing in them that was true only while the plan was made."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backend.core.documents.markdown import to_markdown
from backend.core.history.entry import entry_of
from backend.core.plan import Plan
from backend.core.reports.run_report import run_report
from backend.core.reports.shared import loss_text
from backend.core.runner import Ended, StepStarted, Transition
from backend.operations.runs.documents.manual_steps import SEARCH
from backend.operations.runs.documents.markdown import runbook
from backend.operations.runs.masking import all_masked
from tests.core.builders.rebuilt_worlds import rebuilt
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.history import requested
from tests.fakes.mysql_world import MysqlWorld
from tests.fakes.plans import plan_relocate
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld
from tests.scenarios.cases import CASES

MADE = datetime(2026, 11, 21, 3, 4, 5, tzinfo=UTC)
PAGE = Path(__file__).parents[2] / "docs/incident/console-unavailable.md"


def shown(plan: Plan) -> dict[str, Any]:
    """As `plan_view` shows it."""
    more = {"id": "p_1", "state": "ready", "digest": plan.digest, "created_by": "nora", "reason": "drill"}
    steps = [{**step.to_json(), "sql": all_masked(step.sql)} for step in plan.steps]
    return plan.to_json() | more | {"created_at": MADE, "expires_at": MADE, "steps": steps}


def book_of(case: str) -> str:
    """The runbook of a reviewed scenario."""
    return runbook(shown(CASES[case]()[1]))


def step_of(book: str, number: int) -> str:
    """One step of it."""
    return book.split(f"\n### {number}. ")[1].split("\n### ", maxsplit=1)[0]


def test_runbook__channels_that_still_move__says_until_when_and_when_to_find_them_again() -> None:
    book = book_of("planned_move_of_both")
    for direction, stop, locate in (("forward", 2, 4), ("reverse", 3, 5)):
        assert re.search(
            rf"\*\*{direction}\*\* on \w\w, as of 2026-11-21 03:04:05\.000000 UTC: `mariadb-bin\.\d+` \d+, seqno \d+\. "
            rf"\*\*Do not resume there\.\*\* It moves until the channel is stopped: find it again after step {stop} "
            rf"\(see step {locate} and docs/incident/console-unavailable\.md\)\.",
            book,
        ), direction
    assert "right after it" not in book


def test_runbook__a_channel_that_stands__keeps_its_proven_place() -> None:
    book = book_of("relay_log_to_apply_first")
    assert "**reverse** on b1: `mariadb-bin.000007` 4244, seqno 5013, proven. Proven:" in book
    assert "use the position under Positions if nothing was applied since" in step_of(book, 5)
    assert all(text in step_of(book, 5) for text in SEARCH)
    assert "Put " not in step_of(book, 5)


def test_runbook__marks_in_the_sql__each_named_beside_the_passwords() -> None:
    book = book_of("planned_move_of_both")
    head = book.split("## Findings")[0].split("Fill in:")[1]
    assert "`***`" in head
    assert set(re.findall(r"\{\{[^}]*\}\}", head)) == set(re.findall(r"\{\{[^}]*\}\}", book.split("## Steps")[1]))
    assert "- `{{forward.file}}`, `{{forward.offset}}`: where the forward channel resumes." in head
    assert "- `{{reverse.file}}`, `{{reverse.offset}}`: where the reverse channel resumes." in head
    assert "see step 4." in head
    assert "`attest_unknown_runs`" in head


def test_runbook__no_marks_in_the_sql__none_explained() -> None:
    book = book_of("second_channel_is_cleaned")
    assert "{{" not in book


def test_runbook__locate_of_a_moving_channel__the_search_by_hand_stands_there() -> None:
    step = step_of(book_of("planned_move_of_both"), 4)
    assert "Reads only. By hand, once step 2 has stopped the channel:" in step
    assert all(f"{number}. {text}" in step for number, text in enumerate(SEARCH, 1))
    assert "The old replica is b1, the new source is a3. Put the position instead of `{{forward.file}}`," in step


def test_runbook__channels_by_gtid__says_where_the_gtid_position_comes_from() -> None:
    book = book_of("gtid_planned_move_strict")
    assert "- `{{forward.gtid}}`: where the forward channel resumes." in book
    assert (
        "Put what `SELECT BINLOG_GTID_POS('file', position)` shows for the position on a2 "
        "instead of `{{forward.gtid}}`." in book
    )


def test_runbook__channels_with_auto_position__says_which_sets_to_compare_by_hand() -> None:
    world = MysqlWorld()
    world.with_history()
    book = runbook(shown(plan_relocate(world, "a2", "b2")))
    assert "SOURCE_AUTO_POSITION=1, so the statement has no position." in book
    assert "GTID_SUBTRACT('gtid_purged of the new source', @@GLOBAL.gtid_executed)" in book


def test_runbook__a_copied_side__its_end_is_read_and_its_backup_is_not_searched_for() -> None:
    side = rebuilt()
    backup = side.copy(20)
    book = runbook(shown(side.plan(backup_position=f"{backup.file} {backup.offset}")))
    searched = next(part for part in book.split("\n### ") if "Prove the forward position" in part)
    end = next(part for part in book.split("\n### ") if "the channel to" in part.splitlines()[0])
    assert "at which the backup was taken" in searched
    assert SEARCH[0] not in searched
    assert "`SHOW MASTER STATUS` on a1, twice" in end
    assert "Put the position instead of `{{reverse.file}}`, `{{reverse.offset}}`." in end


@pytest.mark.parametrize("text", SEARCH)
def test_search_by_hand__page_and_runbook_say_the_same(text: str) -> None:
    assert text in " ".join(PAGE.read_text().split())


REPORTED = entry_of(requested(*CASES["planned_move_of_both"]()))


def report(run: dict[str, Any], plan: dict[str, Any]) -> str:
    """The report as Markdown."""
    return to_markdown(run_report(run, plan, REPORTED))


def run_as_shown(**more: Any) -> dict[str, Any]:
    """A run as `run_view` shows it."""
    return {
        "summary": "moved", "kind": "relocate", "state": "succeeded", "outcome": "", "next_action": "", "steps": [],
        "link_name": "payments", "id": "r_1", "created_at": MADE, "requested_by": "nora", "approved_by": None,
        "reason": "drill", "started_at": MADE, "ended_at": MADE, "request_id": "", "durations": None,
        "verification": None, "loss": {"sentence": "Nothing lost, verified"},
    } | more  # fmt: skip


def test_report__plan_of_a_moving_channel__points_at_what_the_run_found() -> None:
    text = report(run_as_shown(), shown(CASES["planned_move_of_both"]()[1]))
    assert "The channel was still running. Steps of the run shows where it resumed." in text
    assert "right after it" not in text


def test_report__failover__the_loss_as_it_is_known_by_now_beside_what_the_plan_stated() -> None:
    plan = shown(CASES["planned_move_of_both"]()[1])
    known = {"sentence": "26 orphaned transactions: 26 replayed, 0 lost"}
    text = report(run_as_shown(kind="failover", loss=known), plan)
    assert "- Loss: 26 orphaned transactions: 26 replayed, 0 lost. The plan stated: 0 transactions" in text


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        ({"transactions": 20, "is_exact": False}, "at least 20 transactions. "),
        ({"transactions": None, "at_least": 20, "is_exact": False}, "at least 20 transactions. "),
        ({"transactions": None, "at_least": 0, "is_exact": False}, "unknown. "),
        ({"transactions": 0, "is_exact": False}, "none known. "),
        ({"transactions": 0, "is_exact": True}, "0 transactions. "),
        ({"transactions": 0}, "0 transactions. "),
    ],
)
def test_loss_text__lost_side__a_lower_bound_is_called_one(loss: dict[str, Any], text: str) -> None:
    assert loss_text({**loss, "detail": "x"}) == f"{text}x"


def test_report__statement_with_a_name_of_backticks__stays_within_its_fence() -> None:
    sql = "STOP SLAVE 'a````b'"
    sent = {
        "sent_at": MADE, "node": "b1", "connection_id": 7, "state": "ok", "duration_ms": 1.0, "sql": sql,
        "warnings": [], "error": "",
    }  # fmt: skip
    step = {
        "code": "stop_channel", "index": 1, "title": "stop", "node": "b1", "state": "succeeded", "started_at": MADE,
        "ended_at": MADE, "outcome": "", "observed_after_crash": False, "statements": [sent], "facts": {},
    }  # fmt: skip
    text = report(run_as_shown(steps=[step]), shown(CASES["planned_move_of_both"]()[1]))
    assert f"\n`````sql\n{sql};\n`````" in text


def lost_behind_its_fence(world: FakeWorld, plan: Plan) -> Ended:
    """The end of a switchover whose old side fails once it is closed."""

    def lose(transition: Transition) -> None:
        if isinstance(transition, StepStarted) and transition.step.code == "verify_caught_up":
            for node in world.a.nodes:
                world.kill(node.name)

    memory = Memory(plan)
    Walker(world, FakeGateway(world), memory, on_transition=lose).run()
    assert memory.end is not None
    return memory.end


def test_lost_site__in_the_middle_of_a_switch__report_and_runbooks_hold_every_statement() -> None:
    """What was left closed, what a person would send instead of the run, and what opens the other side."""
    world = passive(FakeWorld.classic())
    switch = plan_switchover(world)
    end = lost_behind_its_fence(world, switch)
    text = report(run_as_shown(state=end.state, outcome=end.sentence, next_action=end.next_action), shown(switch))
    for name in ("a1", "a2", "a3"):
        assert f"Restore {name} by hand: SET GLOBAL read_only=OFF." in text.split("\nNext: ")[1].splitlines()[0]
    for plan in (switch, plan_failover(world)):
        book = runbook(shown(plan))
        assert any(step.sql for step in plan.steps)
        for step in plan.steps:
            section = step_of(book, step.index + 1)
            assert f" on {step.node}" in section or step.node is None
            assert all(f"\n{sql};\n" in section for sql in (*step.sql, *step.undo)), section
