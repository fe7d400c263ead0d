"""The readiness report: what is counted, and that unknown is neither good nor bad."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backend.core.documents.markdown import to_markdown
from backend.core.findings import Finding, Severity
from backend.core.history.entry import entry_of
from backend.core.history.stored_run import StoredApproval, StoredRun
from backend.core.reports.exceptions import exceptions_of
from backend.core.reports.readiness_facts import NotedException, ReadinessInput, readiness_facts, spread
from backend.core.reports.readiness_proof import proof_sentence
from backend.core.reports.readiness_report import readiness_report
from backend.core.reports.rehearsal_schedule import HeldRehearsal, ScheduleSetting
from tests.fakes.history import T0, walked
from tests.scenarios.cases import CASES

SINCE, UNTIL = datetime(2026, 10, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
DAY_S = 86_400


@pytest.fixture(scope="module")
def moved() -> StoredRun:
    return walked(*CASES["source_lost"]())


def given(**changes: Any) -> ReadinessInput:
    """A quarter in which nothing happened."""
    nothing = ReadinessInput("l_1", "payments", SINCE, UNTIL, (), (), (), 0.0, 0.0, ())
    return replace(nothing, **changes)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([], (0, None, None, None)),
        ([3.0], (1, 3.0, 3.0, 3.0)),
        ([9.0, 1.0, 2.0], (3, 1.0, 2.0, 9.0)),
        ([1.0, 2.0], (2, 1.0, 1.5, 2.0)),
    ],
)
def test_spread__values__number_least_median_and_most(values: list[float], found: tuple[Any, ...]) -> None:
    assert tuple(spread(values).values()) == found


def test_recovery_time__run_without_a_verified_result__counted_as_run_only(moved: StoredRun) -> None:
    failed, partly = replace(moved, state="failed"), replace(moved, verification={"verdict": "partly"})
    facts = readiness_facts(given(entries=[entry_of(run) for run in (moved, failed, partly)]))
    assert facts["recovery_time"] == [
        {"kind": "relocate", "runs": 3, "measured": 1, "min_s": 9.4, "median_s": 9.4, "max_s": 9.4}
    ]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "none_verified"),
        ({"state": "failed"}, "unknown"),
        ({"verification": {"verdict": "partly"}}, "stated"),
        ({"kind": "remove_channels"}, "stated"),
    ],
)
def test_recovery_point__each_certainty__its_own_number(moved: StoredRun, changes: dict[str, Any], name: str) -> None:
    point = readiness_facts(given(entries=[entry_of(replace(moved, **changes))]))["recovery_point"]
    counts = {key: point[key] for key in ("none_verified", "counted", "stated", "unknown")}
    assert counts == dict.fromkeys(counts, 0) | {name: 1}


@pytest.mark.parametrize(
    ("ready_s", "not_ready_s", "days"),
    [
        (0.0, 0.0, (0.0, 0.0, 92.0)),
        (90 * DAY_S, DAY_S, (90.0, 1.0, 1.0)),
        (93 * DAY_S, DAY_S, (92.0, 0.0, 0.0)),
        (91 * DAY_S, 5 * DAY_S, (91.0, 1.0, 0.0)),
    ],
)
def test_availability__what_was_not_measured__unknown(
    ready_s: float, not_ready_s: float, days: tuple[float, float, float]
) -> None:
    found = readiness_facts(given(ready_s=ready_s, not_ready_s=not_ready_s))["availability"]
    assert (found["ready_days"], found["not_ready_days"], found["unknown_days"]) == days


def test_rehearsals__outside_the_period__not_counted() -> None:
    times = [SINCE - timedelta(hours=1), SINCE, UNTIL - timedelta(hours=1), UNTIL]
    held = [HeldRehearsal("failover", at, is_passed=index < 2) for index, at in enumerate(times)]
    settings = [ScheduleSetting(SINCE, True, 720, ("relocate",))]
    assert readiness_facts(given(rehearsals=held, settings=settings))["rehearsals"] == [
        {"kind": "failover", "passed": 1, "failed": 1, "missed": None},
        {"kind": "relocate", "passed": 0, "failed": 0, "missed": 4},
    ]


def test_report__empty_quarter__says_so_in_every_section() -> None:
    text = to_markdown(readiness_report(readiness_facts(given())))
    for line in (
        "# Readiness report: payments, 2026-10-01 to 2027-01-01",
        "0 switches of payments, 0 succeeded. No exception to the rules was recorded.",
        "No operation that recovers a link was run.",
        "- Largest loss counted or stated: none",
        "No rehearsal took place, and no schedule demanded one.",
        "| Unknown | 92.00 | 100.0 % |",
    ):
        assert line in text


def test_report__exceptions__in_order_of_time(moved: StoredRun) -> None:
    noted = [NotedException(T0 + timedelta(hours=n), f"kind {n}", "what") for n in (2, 1)]
    text = to_markdown(readiness_report(readiness_facts(given(exceptions=noted, entries=[entry_of(moved)]))))
    assert text.index("kind 1") < text.index("kind 2")
    assert "2 exceptions to the rules." in text


@pytest.mark.parametrize(
    ("code", "severity", "option", "kind"),
    [
        ("accounts_attested", Severity.WARNING, "attest_accounts", "attestation"),
        ("partition_overridden", Severity.WARNING, "override_partition", "check overridden"),
        ("accounts_unknown", Severity.UNKNOWN, "attest_other", None),
        ("stray_channel", Severity.WARNING, "attest_accounts", None),
    ],
)
def test_exceptions__findings_of_a_plan__those_that_a_person_answered(
    moved: StoredRun, code: str, severity: Severity, option: str, kind: str | None
) -> None:
    finding = Finding(code, severity, "Told.").to_json()
    run = replace(moved, plan={**moved.plan, "findings": [finding], "options": {option: True}})
    assert [one.type for one in exceptions_of(run)] == ([kind] if kind else [])


def test_exceptions__untried_servers__who_accepted_them(moved: StoredRun) -> None:
    finding = Finding("server_not_tried_accepted", Severity.WARNING, "ada accepted it.").to_json()
    (one,) = exceptions_of(replace(moved, plan={**moved.plan, "findings": [finding]}))
    assert (one.type, one.sentence) == ("untried servers accepted", "ada accepted it.")


def test_exceptions__second_person_waived__with_its_review(moved: StoredRun) -> None:
    waived = StoredApproval("break-glass eve", T0, is_exception=True)
    (one,) = exceptions_of(replace(moved, approvals=(waived,)))
    assert one.sentence == (
        "anna started a run without a second person, let through by break-glass eve, not reviewed yet."
    )
    assert not list(exceptions_of(replace(moved, approvals=(StoredApproval("ben", T0),))))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "milan → frankfurt: proven 99.99 % of the period; 2 gaps, 5.00 s in all."),
        (
            {"proven_share": 0.75, "gaps": 0, "unrecorded_s": 7_200.0},
            "milan → frankfurt: proven 75.00 % of the period; no gap. Nothing is recorded of 2 h.",
        ),
        ({"proven_share": 1.0, "gaps": 0}, "milan → frankfurt: proven 100.00 % of the period; no gap."),
        ({"proven_share": None}, "milan → frankfurt: nothing of the period is recorded."),
    ],
)
def test_proof__of_a_direction__never_rounded_up(changes: dict[str, Any], sentence: str) -> None:
    facts = {"source": "milan", "receiving": "frankfurt", "proven_share": 0.999_999, "gaps": 2, "not_proven_s": 5.0}
    assert proof_sentence(facts | {"unrecorded_s": 0.0} | changes) == sentence
