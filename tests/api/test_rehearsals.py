"""Rehearsals over HTTP; nodes here are down, so that every rehearsal fails and says why."""

from __future__ import annotations

from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.plans.kinds import REHEARSED
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.runs.models import Plan, Run
from tests.support.console import Caller


def test_rehearsal__nodes_down__failed_with_its_reasons_and_no_plan_kept(operator: Caller, link: Link) -> None:
    answer = operator.post(f"/links/{link.id}/rehearsals", {"kind": "relocate"})
    assert answer.status == 201, answer.body
    rehearsal = answer.body
    assert (rehearsal["state"], rehearsal["kind"], rehearsal["actor"], rehearsal["estimate_s"]) == (
        "failed",
        "relocate",
        "operator-1",
        None,
    )
    assert rehearsal["sentence"]
    assert any(finding["severity"] in ("blocker", "unknown") for finding in rehearsal["findings"])
    assert rehearsal["timings"][0]["check"] == "Read both sides, check, locate, plan"
    assert rehearsal["duration_ms"] >= rehearsal["timings"][0]["ms"] > 0
    assert not Plan.objects.exists()
    assert not Run.objects.exists()
    assert operator.get(f"/rehearsals/{rehearsal['id']}").body == rehearsal
    event = Event.objects.get(data__kind="rehearsal.failed")
    assert (event.link_id, event.data["severity"]) == (link.id, "warning")
    assert AuditRecord.objects.get(action="api:rehearsal:hold").facts["state"] == "failed"


@pytest.mark.parametrize("kind", REHEARSED)
def test_rehearsal__every_kind__answers(operator: Caller, link: Link, kind: str) -> None:
    answer = operator.post(f"/links/{link.id}/rehearsals", {"kind": kind})
    assert (answer.status, answer.body["kind"]) == (201, kind), answer.body


def test_rehearsals__listed__newest_first_by_kind_and_page(operator: Caller, viewer: Caller, link: Link) -> None:
    made = [
        operator.post(f"/links/{link.id}/rehearsals", {"kind": kind}).body["id"]
        for kind in ("relocate", "failover", "relocate")
    ]
    listed = viewer.get(f"/links/{link.id}/rehearsals").body["results"]
    assert [row["id"] for row in listed] == made[::-1]
    page = viewer.get(f"/links/{link.id}/rehearsals?kind=relocate&limit=1").body
    assert [row["id"] for row in page["results"]] == [made[2]]
    rest = viewer.get(f"/links/{link.id}/rehearsals?kind=relocate&limit=1&cursor={page['next']}").body
    assert [row["id"] for row in rest["results"]] == [made[0]]
    assert viewer.get(f"/links/{link.id}/rehearsals?kind=clean").status == 400


def test_rehearsal__repeated_under_one_key__held_once(operator: Caller, link: Link) -> None:
    body = {"kind": "relocate"}
    first = operator.post(f"/links/{link.id}/rehearsals", body, Idempotency_Key="k1")
    repeated = operator.post(f"/links/{link.id}/rehearsals", body, Idempotency_Key="k1")
    assert repeated.body["id"] == first.body["id"]
    assert repeated.headers["Idempotency-Replayed"] == "true"
    assert Rehearsal.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "kind"),
        ({"kind": "coup"}, "kind"),
        ({"kind": "remove_stray_channel"}, "kind"),
        ({"kind": "relocate", "options": {"source_node": "n_aaaaaaaaaaaa"}}, "options.source_node"),
        ({"kind": "relocate", "options": {"rehearsal": True}}, "options.rehearsal"),
        ({"kind": "relocate", "reason": "x"}, "reason"),
    ],
)
def test_rehearsal__bad_value__400_names_the_field(
    operator: Caller, link: Link, body: dict[str, Any], field: str
) -> None:
    answer = operator.post(f"/links/{link.id}/rehearsals", body)
    assert answer.status == 400, answer.body
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert not Rehearsal.objects.exists()


def test_rehearsal__roles__operators_hold_all_read(operator: Caller, viewer: Caller, link: Link) -> None:
    assert viewer.post(f"/links/{link.id}/rehearsals", {"kind": "relocate"}).status == 403
    assert viewer.get(f"/links/{link.id}/rehearsal-schedule").status == 200
    set_to = {"enabled": True, "every_hours": 24, "kinds": ["relocate"]}
    assert operator.call("PUT", f"/links/{link.id}/rehearsal-schedule", set_to).status == 403
    assert viewer.get("/rehearsals/e_aaaaaaaaaaaa").status == 404
    assert operator.post("/links/l_aaaaaaaaaaaa/rehearsals", {"kind": "relocate"}).status == 404


def test_schedule__set__shown_and_on_record(admin: Caller, link: Link) -> None:
    address = f"/links/{link.id}/rehearsal-schedule"
    fresh = admin.get(address).body
    assert (fresh["enabled"], fresh["next_at"]) == (False, None)
    wanted = {"enabled": True, "every_hours": 6, "kinds": ["relocate", "failover"]}
    for _ in range(2):
        assert admin.call("PUT", address, wanted).body == {**wanted, "next_at": None}
    assert admin.get(address).body == {**wanted, "next_at": None}
    assert AuditRecord.objects.filter(action="api:rehearsal:schedule").count() == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"every_hours": 0}, "every_hours"),
        ({"every_hours": 721}, "every_hours"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["remove_stray_channel"]}, "kinds"),
        ({"kinds": ["relocate", "relocate"]}, "kinds"),
        ({"enabled": "maybe"}, "enabled"),
    ],
)
def test_schedule__bad_value__400_names_the_field(
    admin: Caller, link: Link, change: dict[str, Any], field: str
) -> None:
    wanted = {"enabled": True, "every_hours": 6, "kinds": ["relocate"]} | change
    answer = admin.call("PUT", f"/links/{link.id}/rehearsal-schedule", wanted)
    assert answer.status == 400
    assert answer.body["errors"][0]["field"].split(".")[0] == field
