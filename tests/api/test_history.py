"""The history, its exports and a link's time line over HTTP."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from urllib.parse import quote

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events import services as events
from backend.history.setting_titles import SETTING_TITLES
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.rehearsals.services import schedule_set
from backend.operations.runs.models import Approval
from tests.fakes.stored_link import T0, finished_run
from tests.support.console import Caller
from tests.support.reference_page import entries


def test_history__a_run__told_with_its_facts(viewer: Caller, link: Link) -> None:
    run = finished_run(link)
    entry = viewer.get("/history").body["results"][0]
    assert entry == viewer.get(f"/history/{run.id}").body
    assert entry["sentence"].startswith("anna moved the channels of payments.")
    assert "Forward resumed at mariadb-bin.000014:4704 (GTID 0-11-12) of" in entry["sentences"]["position"]
    assert (entry["loss"]["state"], entry["duration_s"], entry["is_verified"]) == ("none_verified", 9.4, True)
    assert [row["subject"] for row in entry["topology"]][:2] == ["active side", "standby side"]
    assert viewer.get("/history/r_aaaaaaaaaaaa").status == 404


def test_history__filters__each_of_them_and_all_at_once(viewer: Caller, link: Link) -> None:
    first, second = finished_run(link), finished_run(link, 1, state="failed", requested_by="carl", reason="100% wrong")
    Approval.objects.create(run=first, approver="ben", at=T0)
    half_past = (T0 + timedelta(minutes=30)).isoformat().replace("+00:00", "Z")
    expected = {
        f"link={link.id}": {first.id, second.id},
        "link=l_aaaaaaaaaaaa": set(),
        "kind=relocate": {first.id, second.id},
        "kind=failover": set(),
        "outcome=failed": {second.id},
        "person=ben": {first.id},
        "person=carl": {second.id},
        f"since={half_past}": {second.id},
        f"until={half_past}": {first.id},
        "q=disk": {first.id},
        "q=DISK+payments": {first.id},
        "q=disk+carl": set(),
        f"q={quote('100%')}": {second.id},
        f"q={quote('%')}": {second.id},
        f"q={first.id}": {first.id},
        "q=RELOCATE": {first.id, second.id},
        "q=relocate&outcome=failed&person=carl": {second.id},
    }
    for query, ids in expected.items():
        assert {row["id"] for row in viewer.get(f"/history?{query}").body["results"]} == ids, query


@pytest.mark.parametrize("bad", ["link=x", "outcome=maybe", "since=yesterday", "limit=0", "cursor=%00", "q=%0a", "x=1"])
def test_history__bad_filter__400(viewer: Caller, bad: str) -> None:
    assert viewer.get(f"/history?{bad}").status == 400


def test_history__pages__by_cursor_newest_first(viewer: Caller, link: Link) -> None:
    ids = [finished_run(link, n).id for n in range(3)]
    page = viewer.get("/history?limit=2").body
    rest = viewer.get(f"/history?limit=2&cursor={page['next']}").body
    assert [row["id"] for row in page["results"] + rest["results"]] == ids[::-1]
    assert rest["next"] is None


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t=", "  ="])
def test_history__export_csv__runs_no_formula(viewer: Caller, link: Link, sign: str) -> None:
    formula = f"{sign}cmd|' /C calc'!A0"
    finished_run(link, reason=formula, requested_by=formula)
    rows = list(csv.DictReader(io.StringIO(viewer.get("/history/export?format=csv").body)))
    assert (rows[0]["reason"], rows[0]["requested_by"]) == (f"'{formula}", f"'{formula}")
    assert rows[0]["sentence"].startswith("'")
    assert (rows[0]["loss_state"], rows[0]["loss_transactions"]) == ("none_verified", "0")


def test_history__export__streams_oldest_first_and_is_recorded(
    viewer: Caller, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.history.selectors.CHUNK", 2)
    ids = [finished_run(link, n).id for n in range(5)]
    answer = viewer.get(f"/history/export?link={link.id}")
    assert [json.loads(line)["id"] for line in answer.body.splitlines()] == ids
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hawser-history.jsonl"'
    record = AuditRecord.objects.get(action="api:history:export")
    assert record.facts == {"format": "jsonl", "filters": {"link": link.id}}


def happened(link: Link) -> list[str]:
    """One of everything; the kinds as the time line shows them, newest first."""
    finished_run(link)
    events.raised(link_id=link.id, kind="link.broken", severity="blocker", message="db-a1 is down.")
    events.raised(link_id=link.id, kind="run.succeeded", severity="ok", message="told by the run")
    schedule_set(actor="root", link=link, enabled=True, every_hours=24, kinds=["relocate"])
    Rehearsal.objects.create(
        link=link, kind="failover", state="passed", at=T0 - timedelta(hours=1), actor="schedule", duration_ms=830
    )
    return ["setting", "event", "setting", "run", "rehearsal"]


def test_timeline__everything__one_list_by_time(viewer: Caller, link: Link) -> None:
    kinds = happened(link)
    page = viewer.get(f"/links/{link.id}/timeline").body
    shown = [row for row in page["results"] if not (row["kind"] == "setting" and "registered" in row["sentence"])]
    assert [row["kind"] for row in shown] == [kinds[0], kinds[1], kinds[3], kinds[4]]
    assert [row["at"] for row in page["results"]] == sorted((row["at"] for row in page["results"]), reverse=True)
    assert shown[0]["sentence"] == "The rehearsal schedule was set (root)."
    assert shown[0]["seq"] == AuditRecord.objects.get(action="api:rehearsal:schedule").seq
    assert shown[3]["sentence"] == "Hawser (schedule) rehearsed a failover: passed after 0.83 s."


def test_timeline__pages_and_permalinks__nothing_twice_and_nothing_left_out(viewer: Caller, link: Link) -> None:
    happened(link)
    whole = [row["entry"] for row in viewer.get(f"/links/{link.id}/timeline").body["results"]]
    walked, cursor = [], ""
    while cursor is not None:
        page = viewer.get(f"/links/{link.id}/timeline?limit=1{cursor and f'&cursor={cursor}'}").body
        walked += [row["entry"] for row in page["results"]]
        cursor = page["next"]
    assert walked == whole
    for index, entry in enumerate(whole):
        begun = viewer.get(f"/links/{link.id}/timeline?entry={entry}").body["results"]
        assert [row["entry"] for row in begun] == whole[index:]
    chosen = viewer.get(f"/links/{link.id}/timeline?kinds=run,rehearsal").body["results"]
    assert [row["kind"] for row in chosen] == ["run", "rehearsal"]


def test_timeline__same_moment__paged_without_a_gap(viewer: Caller, link: Link) -> None:
    for _ in range(3):
        finished_run(link)
    query = f"/links/{link.id}/timeline?kinds=run&limit=2"
    page = viewer.get(query).body
    rest = viewer.get(f"{query}&cursor={page['next']}").body
    assert len({row["id"] for row in page["results"] + rest["results"]}) == 3


@pytest.mark.parametrize("bad", ["kinds=lag", "cursor=x", "entry=lag:1", "entry=event:x", "entry=run", "limit=0"])
def test_timeline__bad_query__refused(viewer: Caller, link: Link, bad: str) -> None:
    assert viewer.get(f"/links/{link.id}/timeline?{bad}").status in (400, 404)
    assert viewer.get(f"/links/{link.id}/timeline?entry=event:999").status == 404


def test_timeline__entry_of_another_link__not_found(viewer: Caller, link: Link) -> None:
    from tests.support.console import make_link

    other = make_link("orders", "127.0.72")
    run = finished_run(other)
    assert viewer.get(f"/links/{link.id}/timeline?entry=run:{run.id}").status == 404


QUOTED = "Could not execute Write_rows_v1 event on table shop.customers; Duplicate entry '{}' for key 'PRIMARY'"
ROW = "anna@example.net"
"""Digits alone stand in ids and times, too."""


def test_history__outcome_that_quotes_a_row__viewer_reads_it_without_the_row(
    viewer: Caller, operator: Caller, link: Link
) -> None:
    run = finished_run(link, state="failed", outcome=QUOTED.format(ROW))
    for path in (
        "/history",
        f"/history/{run.id}",
        "/history/export?format=csv",
        "/history/export",
        f"/links/{link.id}/timeline",
        f"/runs/{run.id}/report",
        f"/runs/{run.id}/report?format=json",
    ):
        assert QUOTED.format(ROW) in str(operator.get(path).body), path
        assert ROW not in str(viewer.get(path).body), path


NO_SETTING = {
    "api:cluster:check",
    "api:node:locate",
    "api:channel-error:read",
    "api:hook:test",
    "api:destination:test",
    *(f"{source}:lookup:{what}" for source in ("api", "cli") for what in ("search", "rows")),
    "api:rehearsal:hold",
    "worker:rehearsal:hold",
    *(f"{source}:table_comparison:start" for source in ("api", "worker")),
    *(f"api:table_comparison:{what}" for what in ("change", "export", "writers")),
    *(f"monitor:automation:{what}" for what in ("propose", "execute", "held")),
    *(f"monitor:automatic_start:{what}" for what in ("started", "held")),
    "monitor:returned_side:refused",
}
OF_LINK = {
    "Clusters and links",
    "Changes of a registration",
    "Webhooks",
    "Destinations",
    "Automation",
    "Rehearsals",
    "Table comparisons",
    "Protected changes",
}


def test_timeline__settings__are_all_changes_of_these_subjects_with_the_titles_of_the_reference() -> None:
    """A new action of these subjects is a change, or stands among those that are none."""
    titles = {
        code: entry.title for entry in entries("audit-actions.md") if entry.subject in OF_LINK for code in entry.codes
    }
    assert {action: title for action, title in titles.items() if action not in NO_SETTING} == SETTING_TITLES
    assert set(titles) >= NO_SETTING
