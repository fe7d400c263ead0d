"""The record over HTTP."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

from backend.audit import chain, damage, heads
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead, AuditRecord
from backend.audit.services import record
from backend.audit.verification import signed_heads
from tests.support.console import Caller


def test_audit__filters_and_pages__newest_first(viewer: Caller) -> None:
    for n in range(5):
        record(actor="zoe", action=f"api:thing:do_{n}", link_id="l_aaaaaaaaaaaa", reason=f"reason {n}")
    page = viewer.get("/audit?actor=zoe&limit=2").body
    assert [r["action"] for r in page["results"]] == ["api:thing:do_4", "api:thing:do_3"]
    rest = viewer.get(f"/audit?actor=zoe&limit=200&cursor={page['next']}").body
    assert [r["action"][-1] for r in rest["results"]] == ["2", "1", "0"]
    assert rest["next"] is None
    assert len(viewer.get("/audit?link=l_aaaaaaaaaaaa&action=api:thing").body["results"]) == 5
    middle = AuditRecord.objects.filter(actor="zoe").order_by("seq")[2]
    since = (middle.at).isoformat().replace("+00:00", "Z")
    assert len(viewer.get(f"/audit?actor=zoe&since={since}").body["results"]) == 3
    assert len(viewer.get(f"/audit?actor=zoe&until={since}").body["results"]) == 2


def test_audit__bad_filters__400(viewer: Caller) -> None:
    for bad in ("link=x", "since=yesterday", "limit=0", "limit=201", "cursor=%00", "actor=%0a"):
        assert viewer.get(f"/audit?{bad}").status == 400, bad


def test_audit__verify__ok_then_names_the_first_bad_record(viewer: Caller) -> None:
    for n in range(3):
        record(actor="zoe", action=f"api:thing:do_{n}")
    verdict = viewer.get("/audit/verify").body
    assert verdict["ok"] is True
    assert verdict["first_bad_seq"] is None
    assert verdict["records"] == verdict["head"]["seq"]


def test_audit__export__can_be_verified_with_the_key_alone(viewer: Caller) -> None:
    record(actor="zoe", action="api:thing:do", facts={"n": 2**60, "f": 1.0, "t": timedelta(1), "ä": [None, True]})
    answer = viewer.get("/audit/export?format=jsonl")
    lines = [json.loads(line) for line in answer.body.splitlines()]
    found, end = chain.walk(lines, key_ring().secrets)
    assert (found, end.seq) == (None, len(lines))
    assert lines[-1]["action"] == "api:audit:export"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="hawser-audit.jsonl"'
    lines[1]["reason"] = "other"
    assert chain.walk(lines, key_ring().secrets)[0] == damage.rewritten(2)


def test_audit__export_csv__runs_no_formula(viewer: Caller) -> None:
    record(actor="zoe", action="api:thing:do", reason="=cmd()|' /C calc'!A0")
    rows = list(csv.DictReader(io.StringIO(viewer.get("/audit/export?format=csv&actor=zoe").body)))
    assert rows[0]["reason"].startswith("'=")
    assert viewer.get("/audit/export?format=xml").status == 400


def test_audit__secrets_in_facts__are_masked(db: None) -> None:
    entry = record(
        actor="zoe",
        action="api:thing:do",
        facts={"password": "hunter2", "sql": "CHANGE MASTER TO MASTER_PASSWORD='hunter2'", "n": {"api_secret": 1}},
    )
    assert "hunter2" not in str(entry.facts)
    assert entry.facts["n"] == {"api_secret": "***"}


def test_audit__verify_and_export_often__one_record_a_minute_each(viewer: Caller, operator: Caller) -> None:
    for _ in range(3):
        viewer.get("/audit/verify")
        operator.get("/audit/verify")
        viewer.get("/audit/export")
    assert AuditRecord.objects.filter(action="api:audit:verify").count() == 2
    assert AuditRecord.objects.filter(action="api:audit:export").count() == 1


def test_audit__verify_with_a_head__looks_it_up(viewer: Caller) -> None:
    record(actor="zoe", action="api:thing:do")
    head = signed_heads.current()
    assert viewer.get(f"/audit/verify?head={quote(head.line)}").body["ok"] is True
    changed = viewer.get(f"/audit/verify?head={quote(replace(head, seq=1).line)}")
    assert (changed.status, changed.body["errors"][0]["field"]) == (400, "head")
    assert "its MAC does not match" in changed.body["detail"]


def test_audit__verify_with_a_head_of_another_past__says_which(viewer: Caller) -> None:
    record(actor="zoe", action="api:thing:do")
    AuditHead.objects.update(installation_id="another", mac="")
    heads.sign(AuditHead.objects.get())
    ahead = signed_heads.current()
    AuditHead.objects.update(installation_id="this", mac="")
    heads.sign(AuditHead.objects.get())
    verdict = viewer.get(f"/audit/verify?head={quote(ahead.line)}").body
    assert (verdict["ok"], verdict["reason"], verdict["first_bad_seq"]) == (False, "rolled_back", 1)
