"""What needs a person, and in which order links are shown for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.link_state.attention import CALM, Attention, LinkSummary, attention, urgency_of

WELL = LinkSummary(state="protected", sentence="All is well.", readiness={"failover": "ready"})


def codes(link: LinkSummary) -> list[str]:
    return [reason.code.value for reason in attention(link)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"state": "degraded"}, ["degraded"]),
        ({"state": "broken"}, ["link_down"]),
        ({"state": "unprotected"}, ["link_down"]),
        ({"state": "failed_over", "is_diverged": True}, ["diverged"]),
        ({"state": "unknown", "readiness": {}}, ["not_observed"]),
        ({"readiness": {}}, ["failover_unknown"]),
        ({"readiness": {"failover": "unknown"}}, ["failover_unknown"]),
        ({"readiness": {"failover": "not_needed"}}, ["failover_unknown"]),
        ({"readiness": {"failover": "blocked"}, "state": "degraded"}, ["failover_blocked", "degraded"]),
        ({"run_state": "running"}, []),
        ({"run_state": "waiting_approval"}, ["approval_waiting"]),
        ({"run_state": "needs_operator", "state": "broken"}, ["run_needs_operator", "link_down"]),
        (
            {"overdue_rehearsals": ["relocate"], "failed_rehearsals": ["failover"]},
            ["rehearsal_failed", "rehearsal_overdue"],
        ),
        ({"is_diverged": True, "state": "unknown"}, ["diverged", "not_observed"]),
    ],
)
def test_attention__each_state__says_why_most_urgent_first(changes: dict[str, object], expected: list[str]) -> None:
    assert codes(replace(WELL, **changes)) == expected  # type: ignore[arg-type]


def test_attention__in_maintenance__only_what_waits_for_a_decision() -> None:
    link = replace(WELL, state="broken", is_in_maintenance=True, overdue_rehearsals=["relocate"])
    assert codes(link) == []
    assert codes(replace(link, run_state="waiting_approval", is_diverged=True)) == ["diverged", "approval_waiting"]


def test_attention__sentence__names_the_operations() -> None:
    found = attention(replace(WELL, failed_rehearsals=["failover"], overdue_rehearsals=["relocate", "switchover"]))
    assert [reason.sentence for reason in found] == [
        "The last rehearsal failed: failover.",
        "2 scheduled rehearsals overdue: relocate, switchover.",
    ]


def test_urgency_of__links__diverged_before_down_before_calm() -> None:
    ranks = [
        urgency_of(attention(replace(WELL, **changes)))  # type: ignore[arg-type]
        for changes in (
            {"is_diverged": True},
            {"state": "broken", "overdue_rehearsals": ["x"]},
            {"state": "unknown"},
            {},
        )
    ]
    assert ranks == sorted(ranks)
    assert ranks[-1] == CALM == len(Attention)
