"""A probe of a run that the record does not know: the console's database is old, or not the only one."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from backend.core.checks.unknown_runs import ATTEST, check_unknown_runs, unknown_run_probes
from backend.core.findings import Severity
from backend.core.plan import Plan
from backend.core.probe import StoredProbe, parse_stored_probes, stored_probes_sql
from tests.core.builders.situations import situation
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, run_to_end
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

OURS, OLDER, NEWER = (
    StoredProbe("r_ours", "a1", "2026-11-21 10:00:00"),
    StoredProbe("r_older", "a2", "2026-11-21 11:00:00"),
    StoredProbe("r_newer", "b1", "2026-11-21 12:00:00"),
)


def knows(run_id: str) -> bool:
    """The record of this module."""
    return run_id == OURS.run_id


def test_strangers__known_runs_left_out__oldest_first_and_each_once() -> None:
    repeated = replace(OLDER, node="a3")
    found = unknown_run_probes([NEWER, OURS, OLDER, repeated], knows)
    assert [one.run_id for one in found] == ["r_older", "r_newer"]


def test_check_record__nobody_else__nothing_to_say() -> None:
    assert check_unknown_runs(unknown_run_probes([OURS], knows), is_attested=False) is None


def test_check_record__a_strange_run__refuses_by_name_until_a_person_attests() -> None:
    refused = check_unknown_runs([OLDER, NEWER], is_attested=False)
    assert refused is not None
    assert (refused.code, refused.severity) == ("unknown_runs_found", Severity.BLOCKER)
    for word in ("r_newer", "b1", "2026-11-21 12:00:00", "restored"):
        assert word in refused.message
    assert refused.facts["option"] == ATTEST
    assert refused.facts["runs"] == ["r_older", "r_newer"]
    attested = check_unknown_runs([OLDER, NEWER], is_attested=True)
    assert attested is not None
    assert (attested.code, attested.severity) == ("unknown_runs_attested", Severity.WARNING)


def test_all_sql__not_an_id__is_refused() -> None:
    with pytest.raises(ValueError, match="id of a link"):
        stored_probes_sql("l'1")
    rows = [{"link_id": link_id, "token": "r_1", "written_on": "a1", "written_at": "t"} for link_id in ("l_1", "l_2")]
    assert parse_stored_probes(rows, "l_1") == (StoredProbe("r_1", "a1", "t"), StoredProbe("r_1", "a1", "t", "l_2"))


def test_strangers__run_of_another_consoles_link__until_a_newer_one_of_ours() -> None:
    theirs = StoredProbe("r_theirs", "b2", "2026-11-21 11:30:00", "l_theirs")
    assert unknown_run_probes([OURS, theirs], knows) == [theirs]
    assert unknown_run_probes([replace(OURS, at="2026-11-21 11:31:00"), theirs], knows) == []
    refused = check_unknown_runs([theirs], is_attested=False)
    assert refused is not None
    for word in ("r_theirs", "l_theirs", "b2", "another console"):
        assert word in refused.message


def test_strangers__own_link__however_new_our_own_probe_is() -> None:
    assert unknown_run_probes([replace(OURS, at="2026-11-21 13:00:00"), OLDER], knows) == [OLDER]


def probed_by_another(node: str, **options: object) -> tuple[FakeWorld, FakeGateway, Memory]:
    """A run of a record that lacks the newest one, walked."""
    world, plan = situation("move_both").build()
    plan = with_options(plan, **options)
    for each in world.cluster_of(world.node(node)).nodes:
        each.probes[plan.link_id, "forward"] = "r_other"
    gateway = FakeGateway(world)
    memory = run_to_end(world, plan, gateway, console=FakeConsole(unknown_runs={"r_other"}))
    return world, gateway, memory


def with_options(plan: Plan, **options: object) -> Plan:
    """The plan as made with these."""
    return replace(plan, options={**plan.options, **options})


@pytest.mark.parametrize("node", ["a1", "b1"])
def test_run__servers_know_a_run_that_the_record_lacks__sends_nothing(node: str) -> None:
    _, gateway, memory = probed_by_another(node)
    assert memory.ended.state == "failed"
    assert "r_other" in memory.ended.sentence
    assert gateway.sent == []


@pytest.mark.parametrize("options", [{ATTEST: True}, {"probe": False}])
def test_run__attested_or_not_probed_at_all__goes_on(options: dict[str, object]) -> None:
    _, gateway, memory = probed_by_another("a1", **options)
    assert memory.end is not None
    assert gateway.sent


def test_all_sql__how_far_an_undo_went__is_no_run_of_another_console() -> None:
    """Kept in the same table, keyed by the failover's run: a reprotect that stopped behind it was refused for it."""
    record = sqlite3.connect(":memory:")
    record.execute("ATTACH ':memory:' AS hawser")
    record.execute("CREATE TABLE hawser.probe (link_id, direction, token, written_on, written_at)")
    undone, theirs, ours = ("r_failover", "undo", "a:0"), ("l_theirs", "forward", "r_theirs"), ("l_1", "reverse", "r_1")
    for row in (undone, theirs, ours):
        record.execute("INSERT INTO hawser.probe VALUES (?, ?, ?, 'a1', '2026-11-21 11:00:00')", row)
    found = record.execute(stored_probes_sql("l_1", datetime(2026, 11, 21, 10, tzinfo=UTC))).fetchall()
    assert {token for _, token, _, _ in found} == {"r_theirs", "r_1"}
