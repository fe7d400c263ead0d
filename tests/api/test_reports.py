"""Reports over HTTP: one document in every rendering, and the verification of the audit log on demand."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit import selectors
from backend.audit.models import AuditRecord
from backend.audit.services import record
from backend.audit.verification import visible_walk
from backend.clusters.models import Link
from backend.history.models import ReadinessDay
from backend.history.readiness import last_quarter, report_of
from backend.history.readiness_tally import count_readiness
from backend.monitoring.models import LinkStatus
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.rehearsals.services import schedule_set
from backend.operations.runs.models import Approval
from tests.fakes.stored_link import finished_run
from tests.support.console import Caller
from tests.support.proof_periods import store_periods


def texts_of(document: dict[str, Any]) -> list[str]:
    """Every text of a document, wherever it stands."""
    found = [document["title"], *document["lead"]]
    for section in document["sections"]:
        found.append(section["heading"])
        for block in section["blocks"]:
            found += [
                block["text"],
                *block["items"],
                *block["header"],
                *(cell for row in block["rows"] for cell in row),
            ]
            found += [text for fact in block["facts"] for text in (fact["name"], fact["value"])]
    return [" ".join(text.split()) for text in found if text]


@pytest.fixture
def addresses(link: Link) -> list[str]:
    """The three reports, each with something in it."""
    run = finished_run(link)
    rehearsal = Rehearsal.objects.create(
        link=link, kind="failover", state="passed", at=timezone.now(), actor="anna", sentence="Every check passed.",
        duration_ms=830, loss={"transactions": 0, "seconds": 0, "detail": "Nothing | <b>lost</b>."},
        timings=[{"check": "Read both sides", "ms": 12.5, "ok": True, "sentence": "read"}],
    )  # fmt: skip
    return [
        f"/runs/{run.id}/report",
        f"/rehearsals/{rehearsal.id}/certificate",
        f"/links/{link.id}/readiness-report",
    ]


def _without_seconds(text: str) -> str:
    """Both forms are made one after the other, and say when."""
    return re.sub(r"(\d\d:\d\d):\d\d UTC", r"\1 UTC", text)


def test_reports__markdown_and_json__say_the_same(viewer: Caller, addresses: list[str]) -> None:
    for address in addresses:
        markdown, json = viewer.get(address), viewer.get(f"{address}?format=json")
        assert markdown.headers["Content-Type"] == "text/markdown; charset=utf-8"
        assert markdown.headers["Content-Disposition"].endswith('.md"')
        plain = _without_seconds(markdown.body.replace("\\", "").replace("&lt;", "<"))
        texts = map(_without_seconds, texts_of(json.body["document"]))
        assert [text for text in texts if text not in plain] == [], address
        assert json.body["facts"]
        assert viewer.get(f"{address}?format=pdf").status == 400
        assert Caller().get(address).status == 401


def test_report_of_run__markup_of_a_value__is_text(viewer: Caller, link: Link) -> None:
    run = finished_run(link, reason="a | b [x](javascript:1) *c* <img>")
    body = viewer.get(f"/runs/{run.id}/report").body
    assert r"a \| b \[x\](javascript:1) \*c\* &lt;img>" in body


def test_readiness__a_period__counts_what_happened_in_it(viewer: Caller, link: Link) -> None:
    schedule_set(actor="root", link=link, enabled=True, every_hours=1, kinds=["relocate"])
    now = timezone.now()
    run = finished_run(link, created_at=now - timedelta(minutes=2), ended_at=now - timedelta(minutes=1))
    finished_run(link, state="failed", created_at=now - timedelta(minutes=2), ended_at=now)
    Approval.objects.create(run=run, approver="break-glass eve", at=now, is_exception=True)
    ReadinessDay.objects.create(link=link, day=now.date(), ready_s=3000, not_ready_s=600, counted_at=now)
    Rehearsal.objects.create(link=link, kind="relocate", state="failed", at=now, actor="anna", duration_ms=1)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    since = (midnight - timedelta(days=1)).isoformat().replace("+00:00", "Z")
    facts = viewer.get(f"/links/{link.id}/readiness-report?since={since}&format=json").body["facts"]
    assert [one["kind"] for one in facts["switches"]] == ["relocate", "relocate"]
    assert facts["recovery_time"] == [
        {"kind": "relocate", "runs": 2, "measured": 1, "min_s": 60.0, "median_s": 60.0, "max_s": 60.0}
    ]
    assert (facts["recovery_point"]["none_verified"], facts["recovery_point"]["unknown"]) == (1, 1)
    assert facts["rehearsals"] == [{"kind": "relocate", "passed": 0, "failed": 1, "missed": 0}]
    days = facts["availability"]
    assert (days["ready_days"], days["not_ready_days"]) == (round(3000 / 86400, 4), round(600 / 86400, 4))
    assert days["unknown_days"] == pytest.approx(days["days"] - 3600 / 86400, abs=0.001)
    assert sorted(one["type"] for one in facts["exceptions"]) == ["attestation", "attestation", "second person waived"]


def test_readiness__standing_proof__share_of_the_period_and_its_longest_gaps(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    parts = (("", 86_000.0), ("unreachable", 90.0), ("", 300.0), ("nobody_looked", 600.0), ("", 60.0))
    since = store_periods(link, link.standby_cluster, now, *parts).isoformat().replace("+00:00", "Z")
    address = f"/links/{link.id}/readiness-report?since={since}"
    forward, reverse = viewer.get(f"{address}&format=json").body["facts"]["proof"]
    assert (forward["gaps"], forward["direction"], round(forward["not_proven_s"])) == (2, "forward", 690)
    assert [one["cause"] for one in forward["longest_gaps"]] == ["nobody_looked", "unreachable"]
    assert reverse["proven_s"] == 0
    text = viewer.get(address).body
    assert "proven 99.20 % of the period; 2 gaps, 11 min 30 s in all." in text
    assert "No monitor observed the link, or what it saw could not be stored." in text


def test_readiness__a_day_that_the_period_cuts__is_unknown(link: Link) -> None:
    day = datetime(2026, 11, 20, tzinfo=UTC)
    for number in range(3):
        at = day + timedelta(days=number)
        ReadinessDay.objects.create(link=link, day=at.date(), ready_s=80_000, counted_at=at + timedelta(hours=23))

    def ready_days(since_h: float, until_h: float) -> float:
        since, until = day + timedelta(hours=since_h), day + timedelta(hours=until_h)
        return float(report_of(link, since, until)[1]["availability"]["ready_days"])

    assert ready_days(0, 72) == pytest.approx(3 * 80_000 / 86_400, abs=0.001)
    assert ready_days(1, 72) == pytest.approx(2 * 80_000 / 86_400, abs=0.001)
    assert ready_days(0, 60) == pytest.approx(2 * 80_000 / 86_400, abs=0.001)
    assert ready_days(0, 71.5) == pytest.approx(3 * 80_000 / 86_400, abs=0.001)


@pytest.mark.parametrize(
    "query", ["until=2026-01-01T00:00:00Z", "since=2999-01-01T00:00:00Z", "since=2020-01-01T00:00:00Z", "since=x"]
)
def test_readiness__bad_period__refused_and_named(viewer: Caller, link: Link, query: str) -> None:
    answer = viewer.get(f"/links/{link.id}/readiness-report?{query}")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "since")


@pytest.mark.parametrize(
    ("now", "since", "until"),
    [((2026, 11, 26), (2026, 7, 1), (2026, 10, 1)), ((2026, 2, 1), (2025, 10, 1), (2026, 1, 1)),
     ((2026, 4, 1), (2026, 1, 1), (2026, 4, 1))],
)  # fmt: skip
def test_last_quarter__any_day__the_last_whole_one(now: Any, since: Any, until: Any) -> None:
    found = last_quarter(datetime(*now, 5, 6, tzinfo=UTC))
    assert found == (datetime(*since, tzinfo=UTC), datetime(*until, tzinfo=UTC))


@pytest.mark.parametrize(
    ("state", "failover", "age_s", "column"),
    [
        ("protected", "ready", 1, "ready_s"),
        ("degraded", "ready", 1, "ready_s"),
        ("broken", "ready", 1, "not_ready_s"),
        ("failed_over", "blocked", 1, "not_ready_s"),
        ("protected", "blocked", 1, "not_ready_s"),
        ("protected", "unknown", 1, None),
        ("unknown", "ready", 1, None),
        ("protected", None, 1, None),
        ("protected", "ready", 60, None),
    ],
)
def test_readiness_tally__each_state__counted_or_unknown(
    link: Link, state: str, failover: str | None, age_s: int, column: str | None
) -> None:
    now = timezone.now()
    readiness = {"failover": {"state": failover}} if failover else {}
    LinkStatus.objects.create(
        link=link, state=state, since=now, observed_at=now - timedelta(seconds=age_s), sentence="", readiness=readiness
    )
    count_readiness()
    ReadinessDay.objects.update(counted_at=now - timedelta(seconds=5))
    count_readiness()
    day = ReadinessDay.objects.get(link=link)
    assert {name for name in ("ready_s", "not_ready_s") if getattr(day, name) >= 5} == ({column} if column else set())


def test_readiness_tally__no_monitor_meanwhile__the_time_is_unknown(link: Link) -> None:
    now = timezone.now()
    LinkStatus.objects.create(
        link=link,
        state="protected",
        since=now,
        observed_at=now,
        sentence="",
        readiness={"failover": {"state": "ready"}},
    )
    ReadinessDay.objects.create(link=link, day=now.date(), counted_at=now - timedelta(minutes=10))
    count_readiness()
    assert ReadinessDay.objects.get(link=link).ready_s == 0


def test_verify_all__slices__progress_to_the_end_and_one_record(
    viewer: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(7):
        record(actor="zoe", action=f"api:thing:do_{n}")
    monkeypatch.setattr(visible_walk.advance, "__kwdefaults__", {"limit": 3})
    seen, token = [], ""
    while token is not None:
        walked = viewer.get(f"/audit/verify-all{token and f'?after={token}'}").body
        seen.append(walked["verified"])
        token = walked["next"]
    assert seen == sorted(set(seen))
    assert len(seen) > 2
    assert (walked["is_finished"], walked["ok"], walked["verified"]) == (True, True, walked["records"])
    stored = AuditRecord.objects.get(action="api:audit:verify_all")
    assert stored.facts == {"ok": True, "verified": walked["verified"], "first_bad_seq": None, "reason": None}


def test_verify_all__a_changed_record__broken_there_and_recorded(
    viewer: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = record(actor="zoe", action="api:thing:do")
    record(actor="zoe", action="api:thing:do")
    plain = selectors.as_plain

    def altered(row: AuditRecord) -> dict[str, Any]:
        return {**plain(row), "reason": "other"} if row.seq == entry.seq else plain(row)

    monkeypatch.setattr("backend.audit.verification.walk.as_plain", altered)
    walked = viewer.get("/audit/verify-all").body
    assert (walked["ok"], walked["first_bad_seq"], walked["reason"], walked["next"]) == (
        False, entry.seq, "rewritten", None,
    )  # fmt: skip
    assert AuditRecord.objects.get(action="api:audit:verify_all").facts["first_bad_seq"] == entry.seq


def test_verify_all__a_forged_token__refused(viewer: Caller) -> None:
    answer = viewer.get("/audit/verify-all?after=eyJzZXEiOjk5fQ:1abc:forged")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "after")


def test_audit__by_number__that_record(viewer: Caller) -> None:
    entry = record(actor="zoe", action="api:thing:do")
    assert [one["seq"] for one in viewer.get(f"/audit?seq={entry.seq}").body["results"]] == [entry.seq]
    assert viewer.get("/audit?seq=0").status == 400
