"""A restart forgets a fence that was set at run time: said before the restart, unless the node shows better."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.restarted_fence import restart_opens_finding
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, SideFence
from backend.core.plans import configure, node_maintenance
from backend.core.plans.maintenance_findings import Absence
from tests.core.builders.link_facts import link, node_of, with_node, with_variable
from tests.fakes.plans import FakePlanner, configuration_of
from tests.fakes.world import FakeWorld

HOUR_S = 3600.0


def fenced(*, ago_s: float = HOUR_S) -> LinkFacts:
    """A run fenced side b, and its nodes run for longer than that."""
    facts = link()
    for name in ("b1", "b2", "b3"):
        facts = with_node(with_variable(facts, name, "read_only", "ON"), name, uptime_s=100_000)
    return replace(facts, fences=(SideFence("c_b", "r_7", "switchover", facts.observed_at_s - ago_s),))


def told(facts: LinkFacts, *names: str) -> Finding | None:
    return restart_opens_finding(facts, facts.standby, [node_of(facts, name) for name in names])


def test_restart__node_was_not_restarted_since_the_fence__said_with_run_and_remedy() -> None:
    found = told(fenced(), "b2")
    assert found is not None
    assert (found.code, found.severity, found.facts["nodes"]) == ("restart_opens_fence", Severity.WARNING, ["b2"])
    assert "r_7 (switchover)" in found.message
    assert "before you restart it" in found.remedy


def test_restart__node_came_back_read_only_since__its_file_has_it() -> None:
    assert told(with_node(fenced(), "b2", uptime_s=60), "b2") is None


@pytest.mark.parametrize(
    "facts",
    [
        with_node(fenced(), "b2", uptime_s=None),
        with_variable(with_node(fenced(), "b2", uptime_s=60), "b2", "read_only", "OFF"),
        with_variable(with_node(fenced(), "b2", uptime_s=60), "b2", "read_only", None),
    ],
    ids=["uptime-unknown", "came-back-open", "read-only-unknown"],
)
def test_restart__nothing_shows_that_it_starts_read_only__said(facts: LinkFacts) -> None:
    assert told(facts, "b2", "b3") is not None


def test_restart__no_run_fenced_the_side__nothing_to_open() -> None:
    facts = fenced()
    assert told(replace(facts, fences=()), "b2") is None
    assert restart_opens_finding(facts, facts.active, [node_of(facts, "a2")]) is None


def test_maintenance__of_a_node_of_the_fenced_side__says_it_before_the_node_is_stopped() -> None:
    absence = Absence(node_of(fenced(), "b3"), (), 7200.0, 600.0, 3600.0)
    told, held = {"absence": absence}, {"link": fenced()}
    plan = FakePlanner(FakeWorld.classic(), node_maintenance.KIND, {}, held, told).plan()
    assert "restart_opens_fence" in {finding.code for finding in plan.findings}


@pytest.mark.parametrize(("setting", "is_said"), [("log_slave_updates", True), ("evs.send_window", False)])
def test_configure__setting_needs_a_restart_of_the_fenced_side__said(setting: str, *, is_said: bool) -> None:
    world, settings = FakeWorld.classic(), [{"name": setting, "value": "ON" if is_said else "512"}]
    told, held = (
        {"configuration": configuration_of(world), "may_set": {}},
        {"link": fenced(), "focus": fenced().standby.nodes},
    )
    plan = FakePlanner(world, configure.KIND, {"side": "standby", "settings": settings}, held, told).plan()
    assert ("restart_opens_fence" in {finding.code for finding in plan.findings}) == is_said
