"""Webhooks over HTTP: who may what, what is refused by name, what is never shown."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.notifications.hooks.models import Hook
from tests.api.webhooks import SECRET, add, hook_body
from tests.support.console import Caller
from tests.support.webhook_receiver import Receiver


def test_hook__added__shown_without_its_secret_and_listed_by_name(admin: Caller, link: Link) -> None:
    shown = add(admin, link, kinds=["relocate"], blocking=True, timeout_s=5)
    assert shown["link_id"] == link.id
    assert (shown["phase"], shown["kinds"], shown["blocking"], shown["timeout_s"]) == ("before", ["relocate"], True, 5)
    assert (shown["enabled"], shown["min_severity"], shown["last_delivery"]) == (True, "warning", None)
    assert "secret" not in shown
    add(admin, link, name="chat", phase="event", kinds=["run.", "link.broken"])
    listed = admin.get(f"/links/{link.id}/hooks").body
    assert [hook["name"] for hook in listed["results"]] == ["chat", "proxies"]
    assert SECRET not in str(listed)
    assert SECRET not in str(list(Hook.objects.values())) + str(list(AuditRecord.objects.values()))


def test_hook__url_with_a_token__whole_only_to_who_may_change_it(admin: Caller, viewer: Caller, link: Link) -> None:
    hook = add(admin, link, url="https://127.0.0.1:8443/T0/B0/secret-token?key=1")
    assert admin.get(f"/hooks/{hook['id']}").body["url"].endswith("secret-token?key=1")
    assert viewer.get(f"/hooks/{hook['id']}").body["url"] == "https://127.0.0.1:8443/…"
    assert "secret-token" not in str(viewer.get(f"/links/{link.id}/hooks").body)
    assert "secret-token" not in str(list(AuditRecord.objects.values()))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "a\nb"),
        ("secret", "short"),
        ("secret", "line\nbreak-line-break"),
        ("phase", "during"),
        ("phase", "test"),
        ("kinds", ["coup"]),
        ("kinds", "relocate"),
        ("timeout_s", 0),
        ("timeout_s", 61),
        ("min_severity", "grave"),
        ("url", "ftp://127.0.0.1/x"),
        ("url", "http:///x"),
        ("url", "//127.0.0.1/x"),
        ("url", "http://user:pass@127.0.0.1/x"),
        ("url", "http://127.0.0.1:0/x"),
        ("url", "http://127.0.0.1:99999/x"),
        ("url", "http://2130706433/x"),
        ("url", "http://0x7f.1/x"),
        ("url", "http://169.254.169.254/latest/meta-data"),
        ("url", "http://[::ffff:169.254.169.254]/x"),
        ("url", "http://[64:ff9b::a9fe:a9fe]/x"),
        ("url", "http://[2002:a9fe:a9fe::1]/x"),
        ("url", "http://[fe80::1]/x"),
        ("url", "http://0.0.0.0/x"),
        ("url", "http://a b/x"),
        ("url", "file:///etc/passwd"),
        ("url", "gopher://127.0.0.1/"),
        ("unknown", 1),
    ],
)
def test_hook__bad_value__400_names_the_field(admin: Caller, link: Link, field: str, value: Any) -> None:
    answer = admin.post(f"/links/{link.id}/hooks", hook_body(**{field: value}))
    assert answer.status == 400, answer.body
    assert [error["field"].split(".")[0] for error in answer.body["errors"]] == [field]
    assert not Hook.objects.exists()


def test_hook__loopback_in_production__refused(admin: Caller, link: Link, settings: Any) -> None:
    settings.HAWSER_ALLOW_LOOPBACK = False
    for url in ("http://127.0.0.1/x", "http://localhost/x", "http://[::1]/x", "http://[::ffff:127.0.0.1]/x"):
        answer = admin.post(f"/links/{link.id}/hooks", hook_body(url=url))
        assert (answer.status, answer.body["code"]) == (400, "address_refused"), url


def test_hook__allow_list__is_its_own(admin: Caller, link: Link, settings: Any) -> None:
    settings.HAWSER_ALLOWED_NETWORKS = ["10.0.0.0/8"]
    add(admin, link)
    settings.HAWSER_HOOK_NETWORKS = ["10.1.0.0/16"]
    assert admin.post(f"/links/{link.id}/hooks", hook_body(name="b")).body["code"] == "address_refused"
    add(admin, link, name="c", url="http://10.1.2.3/x")


def test_hook__event_that_blocks_or_same_name__refused(admin: Caller, link: Link) -> None:
    answer = admin.post(f"/links/{link.id}/hooks", hook_body(phase="event", blocking=True))
    assert answer.body["errors"][0]["field"] == "blocking"
    assert admin.post(f"/links/{link.id}/hooks", hook_body(phase="event", kinds=["../x"])).status == 400
    add(admin, link)
    repeated = admin.post(f"/links/{link.id}/hooks", hook_body())
    assert (repeated.status, repeated.body["code"]) == (409, "hook_exists")
    other = add(admin, link, name="other")
    renamed = admin.call("PATCH", f"/hooks/{other['id']}", {"name": "proxies"})
    assert (renamed.status, renamed.body["code"]) == (409, "hook_exists")


def test_hook__changed_and_removed__on_record(admin: Caller, link: Link) -> None:
    hook = add(admin, link)
    changed = admin.call("PATCH", f"/hooks/{hook['id']}", {"enabled": False, "timeout_s": 3, "secret": "x" * 20})
    assert changed.status == 200, changed.body
    assert (changed.body["enabled"], changed.body["timeout_s"], changed.body["name"]) == (False, 3, "proxies")
    bad = admin.call("PATCH", f"/hooks/{hook['id']}", {"phase": "event", "blocking": True})
    assert bad.body["errors"][0]["field"] == "blocking"
    assert admin.call("PATCH", f"/hooks/{hook['id']}", {"url": "http://169.254.1.1/"}).status == 400
    facts = AuditRecord.objects.get(action="api:hook:update").facts
    assert facts == {"enabled": False, "timeout_s": 3, "signed_anew": True}
    assert admin.call("DELETE", f"/hooks/{hook['id']}").status == 204
    assert admin.get(f"/hooks/{hook['id']}").status == 404
    assert AuditRecord.objects.filter(action="api:hook:delete", link_id=link.id).exists()


def test_hook__tested__signed_call_arrives_and_is_kept(admin: Caller, link: Link, receiver: Receiver) -> None:
    hook = add(admin, link, url=receiver.url)
    answer = admin.post(f"/hooks/{hook['id']}/test")
    assert (answer.status, answer.body["state"], answer.body["status"]) == (200, "delivered", 200)
    [call] = receiver.calls
    assert call.path == "/hook?token=zz"
    assert call.headers["Hawser-Delivery"] == answer.body["key"]
    stamp, signed = (part.split("=")[1] for part in call.headers["Hawser-Signature"].split(","))
    expected = hmac.new(SECRET.encode(), stamp.encode() + b"." + call.body, hashlib.sha256).hexdigest()
    assert signed == expected
    assert (call.json["phase"], call.json["hook"]["name"], call.json["link"]["name"]) == ("test", "proxies", link.name)
    listed = admin.get(f"/hooks/{hook['id']}/deliveries").body["results"]
    assert [delivery["id"] for delivery in listed] == [answer.body["id"]]
    assert admin.get(f"/hooks/{hook['id']}").body["last_delivery"]["id"] == answer.body["id"]


def test_hook__test_repeated_under_one_key__called_once(admin: Caller, link: Link, receiver: Receiver) -> None:
    hook = add(admin, link, url=receiver.url)
    first = admin.post(f"/hooks/{hook['id']}/test", Idempotency_Key="k1")
    repeated = admin.post(f"/hooks/{hook['id']}/test", Idempotency_Key="k1")
    assert repeated.headers["Idempotency-Replayed"] == "true"
    assert repeated.body == first.body
    assert len(receiver.calls) == 1


def test_hook__receiver_refuses_or_redirects__is_an_answer(admin: Caller, link: Link, receiver: Receiver) -> None:
    hook = add(admin, link, url=receiver.url)
    receiver.answers, receiver.headers, receiver.text = [302], {"Location": "http://169.254.169.254/"}, "go\x07 there"
    result = admin.post(f"/hooks/{hook['id']}/test").body
    assert (result["state"], result["status"]) == ("failed", 302)
    assert "redirects are not followed" in result["error"]
    assert result["answer"] == "go there"
    assert len(receiver.calls) == 1
    receiver.answers = [503]
    assert "answered 503" in admin.post(f"/hooks/{hook['id']}/test").body["error"]
    pages = admin.get(f"/hooks/{hook['id']}/deliveries?limit=1").body
    assert pages["results"][0]["status"] == 503
    assert (
        admin.get(f"/hooks/{hook['id']}/deliveries?limit=1&cursor={pages['next']}").body["results"][0]["status"] == 302
    )


def test_hook__roles__admin_edits_all_read(
    admin: Caller, approver: Caller, operator: Caller, viewer: Caller, link: Link
) -> None:
    hook = add(admin, link)
    for caller in (viewer, operator, approver):
        assert caller.get(f"/links/{link.id}/hooks").status == 200
        assert caller.get(f"/hooks/{hook['id']}/deliveries").status == 200
        assert caller.post(f"/links/{link.id}/hooks", hook_body(name="x")).status == 403
        assert caller.call("PATCH", f"/hooks/{hook['id']}", {"enabled": False}).status == 403
        assert caller.call("DELETE", f"/hooks/{hook['id']}").status == 403
        assert caller.post(f"/hooks/{hook['id']}/test").status == 403
    assert admin.get("/hooks/h_aaaaaaaaaaaa").status == 404
    assert admin.get("/links/l_aaaaaaaaaaaa/hooks").status == 404


def test_hook__what_its_receiver_answered__only_to_who_may_change_it(
    admin: Caller, approver: Caller, operator: Caller, viewer: Caller, link: Link, receiver: Receiver
) -> None:
    receiver.text = "key=AKIAEXAMPLE"
    hook = add(admin, link, url=receiver.url)
    assert admin.post(f"/hooks/{hook['id']}/test").body["answer"] == "key=AKIAEXAMPLE"
    paths = (f"/hooks/{hook['id']}/deliveries", f"/hooks/{hook['id']}", f"/links/{link.id}/hooks")
    for path in paths:
        assert "AKIAEXAMPLE" in str(admin.get(path).body), path
        for caller in (viewer, operator, approver):
            answer = caller.get(path)
            assert answer.status == 200
            assert "AKIAEXAMPLE" not in str(answer.body), path
    assert viewer.get(paths[0]).body["results"][0]["answer"] is None
