"""The automatic relocate over HTTP: off by default, an administrator's word, acknowledged by operators."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.operations.automation.models import LinkAutomation
from tests.support.console import Caller


def test_automation__never_set__is_off(viewer: Caller, link: Link) -> None:
    shown = viewer.get(f"/links/{link.id}/automation")
    assert shown.status == 200, shown.body
    assert (shown.body["mode"], shown.body["blocked_until"], shown.body["last_action"]) == ("off", None, None)
    assert not LinkAutomation.objects.exists()


def test_automation__set__shown_and_on_record(admin: Caller, link: Link) -> None:
    wanted = {"mode": "execute", "loss_for_s": 20, "block_s": 600}
    for _ in range(2):
        answer = admin.call("PUT", f"/links/{link.id}/automation", wanted)
        assert answer.status == 200, answer.body
    assert {name: answer.body[name] for name in wanted} == wanted
    assert AuditRecord.objects.filter(action="api:automation:set").last().facts == wanted  # type: ignore[union-attr]
    off = admin.call("PUT", f"/links/{link.id}/automation", {"mode": "off"}).body
    assert (off["mode"], off["loss_for_s"], off["block_s"]) == ("off", 30, 3600)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"mode": "always"}, "mode"),
        ({"mode": None}, "mode"),
        ({"loss_for_s": 4}, "loss_for_s"),
        ({"loss_for_s": 3601}, "loss_for_s"),
        ({"block_s": 59}, "block_s"),
        ({"kind": "failover"}, "kind"),
    ],
)
def test_automation__bad_value__400_names_the_field(
    admin: Caller, link: Link, change: dict[str, Any], field: str
) -> None:
    answer = admin.call("PUT", f"/links/{link.id}/automation", {"mode": "propose"} | change)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)
    assert not LinkAutomation.objects.exists()


def test_automation__acknowledged__ends_the_block(admin: Caller, operator: Caller, link: Link) -> None:
    admin.call("PUT", f"/links/{link.id}/automation", {"mode": "propose"})
    acted = timezone.now() - timedelta(minutes=5)
    LinkAutomation.objects.update(
        acted_at=acted, last_at=acted, last_outcome="proposed", last_plan_id="p_aaaaaaaaaaaa", last_reason="why"
    )
    shown = operator.get(f"/links/{link.id}/automation").body
    assert shown["blocked_until"] is not None
    assert shown["last_action"]["outcome"] == "proposed"
    assert (shown["last_action"]["plan_id"], shown["last_action"]["run_id"]) == ("p_aaaaaaaaaaaa", None)
    answer = operator.post(f"/links/{link.id}/automation/acknowledge", {"comment": "seen"})
    assert (answer.status, answer.body["blocked_until"]) == (200, None)
    assert AuditRecord.objects.get(action="api:automation:acknowledge").reason == "seen"


def test_automation__roles__admin_sets_operator_acknowledges_all_read(
    operator: Caller, viewer: Caller, approver: Caller, link: Link
) -> None:
    for caller in (viewer, operator, approver):
        assert caller.call("PUT", f"/links/{link.id}/automation", {"mode": "execute"}).status == 403
        assert caller.get(f"/links/{link.id}/automation").status == 200
    assert viewer.post(f"/links/{link.id}/automation/acknowledge").status == 403
    assert operator.get("/links/l_aaaaaaaaaaaa/automation").status == 404


def test_user__named_as_the_console_itself__refused(admin: Caller) -> None:
    for name in ("automation", "schedule"):
        answer = admin.post("/users", {"username": name, "role": "viewer"})
        assert (answer.status, answer.body["errors"][0]["field"]) == (400, "username")


def test_automatic_start__never_set__is_off_and_set_by_an_administrator_only(
    admin: Caller, operator: Caller, link: Link
) -> None:
    path = f"/links/{link.id}/automation/start"
    shown = operator.get(path).body
    assert (shown["enabled"], shown["most_per_hour"], shown["reason"]) == (False, 3, "Off.")
    assert operator.call("PUT", path, {"enabled": True}).status == 403
    assert admin.call("PUT", path, {"enabled": True, "most_per_hour": 0}).status == 400
    answer = admin.call("PUT", path, {"enabled": True, "most_per_hour": 2})
    assert (answer.status, answer.body["enabled"], answer.body["most_per_hour"]) == (200, True, 2)
    record = AuditRecord.objects.filter(action="api:automatic_start:set").last()
    assert record is not None
    assert record.facts == {"enabled": True, "most_per_hour": 2}
