"""The topology before and after a run, from what its plan found and its steps did."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.history.stored_run import StoredRun
from backend.core.history.topology import after, before
from backend.core.history.topology_diff import Change, as_text, diff
from tests.fakes.history import requested, walked
from tests.fakes.sites import passive, plan_failover
from tests.fakes.world import FakeWorld
from tests.scenarios.cases import CASES

Row = tuple[str, str, str, str]
A_TO_B, B_TO_A = "a1 → b1 (running)", "b1 → a1 (running)"
ROLES: list[Row] = [
    ("active side", "cluster-a", "cluster-a", "same"),
    ("standby side", "cluster-b", "cluster-b", "same"),
]


def rows_of(run: StoredRun) -> list[Row]:
    return [(row.subject, row.before, row.after, row.change.value) for row in diff(run)]


@pytest.mark.parametrize(
    ("case", "channels"),
    [
        (
            "source_lost",
            [
                ("forward channel", A_TO_B, "a2 → b1 (running)", "changed"),
                (
                    "reverse channel",
                    "b1 → a1 (as recorded; its node did not respond)",
                    "b1 → a2 (running)",
                    "changed",
                ),
            ],
        ),
        (
            "stray_channel_is_removed",
            [
                ("forward channel", A_TO_B, "a2 → b2 (running)", "changed"),
                ("forward channel", "a1 → b3 (stopped)", "none", "removed"),
                ("reverse channel", B_TO_A, "b2 → a2 (running)", "changed"),
            ],
        ),
        (
            "channel_stopped_by_itself",
            [
                ("forward channel", "a1 → b1 (stopped)", A_TO_B, "changed"),
                ("reverse channel", B_TO_A, B_TO_A, "same"),
            ],
        ),
        (
            "replication_is_ended",
            [
                ("forward channel", A_TO_B, "none", "removed"),
                ("forward channel", "a2 → b3 (stopped)", "none", "removed"),
                ("reverse channel", B_TO_A, "none", "removed"),
            ],
        ),
    ],
)
def test_diff__each_operation__its_channels(case: str, channels: list[Row]) -> None:
    assert rows_of(walked(*CASES[case]())) == ROLES + channels


def test_diff__failover__roles_swap_and_the_unread_channel_is_unknown() -> None:
    world = passive(FakeWorld.classic())
    for node in world.a.nodes:
        world.kill(node.name)
    assert rows_of(walked(world, plan_failover(world))) == [
        ("active side", "cluster-a", "cluster-b", "changed"),
        ("standby side", "cluster-b", "cluster-a", "changed"),
        ("forward channel", A_TO_B, "none", "removed"),
        ("reverse channel", "unknown", "unknown", "unknown"),
    ]


def test_diff__run_that_was_undone__as_before() -> None:
    run = walked(*CASES["source_lost"]())
    undone = replace(run, steps=tuple(replace(step, state="undone") for step in run.steps))
    assert after(undone) == before(undone)
    assert after(requested(*CASES["source_lost"]())) == before(run)


@pytest.mark.parametrize("state", ["failed", "running"])
def test_diff__step_without_a_proof__its_channel_is_unknown(state: str) -> None:
    run = walked(*CASES["source_lost"]())
    steps = tuple(
        replace(step, state=state if step.code == "change_source" else "pending") if step.index >= 4 else step
        for step in run.steps
    )
    forward = next(row for row in diff(replace(run, steps=steps)) if row.subject == "forward channel")
    assert (forward.after, forward.change) == ("unknown → b1 (state unknown)", Change.UNKNOWN)


@pytest.mark.parametrize("plan", [{}, {"fingerprint": {}}, {"fingerprint": {"only": ["n_1"]}}])
def test_diff__plan_that_read_no_channel__unknown(plan: dict[str, object]) -> None:
    run = replace(requested(*CASES["source_lost"]()), plan=plan)
    assert {row.change for row in diff(run)} == {Change.UNKNOWN}


def test_as_text__changes__in_the_signs_of_a_diff() -> None:
    assert as_text(diff(walked(*CASES["channel_stopped_by_itself"]()))) == (
        "  active side: cluster-a\n  standby side: cluster-b\n"
        "- forward channel: a1 → b1 (stopped)\n+ forward channel: a1 → b1 (running)\n"
        "  reverse channel: b1 → a1 (running)"
    )
