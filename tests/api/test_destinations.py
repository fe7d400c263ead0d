"""Destinations over HTTP: who may what, what is refused by name, what is never shown."""

from __future__ import annotations

from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.notifications.hooks import notifications
from backend.notifications.hooks.destinations import services
from backend.notifications.hooks.models import Delivery, Hook
from tests.support.console import Caller
from tests.support.destinations import MAIL, SECRETS, SETTINGS, SLACK_URL, TEAMS_URL, TOKEN, routed
from tests.support.webhook_receiver import Receiver
from tests.support.webhooks import make_hook

__all__ = ["routed"]
PASSWORD = f"{TOKEN}-of-the-relay"
LOGIN = {"security": "tls", "user": "hawser", "password": PASSWORD}


def body(service: str = "slack", **changes: Any) -> dict[str, Any]:
    """A destination to add."""
    return {"name": service, "service": service, "settings": SETTINGS[service], **changes}


def add(admin: Caller, service: str = "slack", **changes: Any) -> dict[str, Any]:
    """Added."""
    answer = admin.post("/destinations", body(service, **changes))
    assert answer.status == 201, answer.body
    return dict(answer.body)


def test_destination__of_each_service__shown_without_its_secrets(admin: Caller, viewer: Caller, link: Link) -> None:
    for service in SETTINGS:
        add(admin, service, link_id=link.pk if service == "teams" else None)
    listed = admin.get("/destinations").body["results"]
    assert [one["name"] for one in listed] == sorted(SETTINGS)
    targets = {one["service"]: one["target"] for one in listed}
    assert targets["opsgenie"] == "api.eu.opsgenie.com"
    assert targets["teams"] == "prod-12.westeurope.logic.azure.com"
    assert targets["email"] == "2 recipients by 127.0.0.1"
    mail = next(one for one in listed if one["service"] == "email")
    assert mail["settings"] == {"region": None, "user": None, **MAIL}
    assert [one["link_name"] for one in listed if one["service"] == "teams"] == [link.name]
    seen = (listed, viewer.get("/destinations").body, list(AuditRecord.objects.values()), list(Hook.objects.values()))
    assert all(secret not in str(seen) for secret in SECRETS)


def test_destination__not_an_administrator__sees_where_it_leads_and_no_settings(
    admin: Caller, approver: Caller, operator: Caller, viewer: Caller
) -> None:
    one = add(admin, "email")
    for caller in (viewer, operator, approver):
        shown = caller.get(f"/destinations/{one['id']}").body
        assert (shown["settings"], shown["target"]) == (None, "2 recipients by 127.0.0.1")
        assert "anna@example.net" not in str(shown)
        assert caller.post("/destinations", body()).status == 403
        assert caller.call("PATCH", f"/destinations/{one['id']}", {"enabled": False}).status == 403
        assert caller.call("DELETE", f"/destinations/{one['id']}").status == 403
        assert caller.post(f"/destinations/{one['id']}/test").status == 403
        assert caller.get(f"/destinations/{one['id']}/deliveries").status == 200


@pytest.mark.parametrize(
    ("service", "changes", "field"),
    [
        ("slack", {"url": "https://hooks.slack.com/services/T1"}, "settings.url"),
        ("slack", {"url": "https://hooks.slack.com.example.net/services/T1/B1/x"}, "settings.url"),
        ("slack", {"url": "http://hooks.slack.com/services/T1/B1/x"}, "settings.url"),
        ("slack", {"url": "json://127.0.0.1/x"}, "settings.url"),
        ("slack", {"url": None}, "settings.url"),
        ("slack", {"key": "0" * 32}, "settings.key"),
        ("teams", {"url": "https://127.0.0.1/workflows/a/triggers/manual/paths/invoke?sig=a"}, "settings.url"),
        ("teams", {"url": TEAMS_URL.partition("&sig=")[0]}, "settings.url"),
        ("teams", {"url": "file:///etc/passwd"}, "settings.url"),
        ("pagerduty", {"key": "short"}, "settings.key"),
        ("pagerduty", {"key": "x" * 20 + "/../y"}, "settings.key"),
        ("pagerduty", {"region": "mars"}, "settings.region"),
        ("opsgenie", {"url": SLACK_URL}, "settings.url"),
        ("email", {"host": "169.254.169.254"}, "settings.host"),
        ("email", {"host": "a b"}, "settings.host"),
        ("email", {"port": 0}, "settings.port"),
        ("email", {"security": "ssl3"}, "settings.security"),
        ("email", {"sender": "anna"}, "settings.sender"),
        ("email", {"recipients": []}, "settings.recipients"),
        ("email", {"recipients": ["a@example.net\nBcc: b@example.net"]}, "settings.recipients"),
        ("email", {"security": "tls", "password": "x"}, "settings.user"),
    ],
)
def test_settings__wrong__400_names_the_field(admin: Caller, service: str, changes: dict[str, Any], field: str) -> None:
    settings = {name: value for name, value in {**SETTINGS[service], **changes}.items() if value is not None}
    answer = admin.post("/destinations", body(service, settings=settings))
    assert answer.status == 400, answer.body
    named = [error["field"] for error in answer.body["errors"]]
    assert all(name.startswith(field) for name in named), named
    assert all(len(error["message"]) > 10 for error in answer.body["errors"])
    assert not Hook.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("service", "json"),
        ("service", "webhook"),
        ("service", "slack://T/B/x"),
        ("name", "a\nb"),
        ("kinds", ["../x"]),
        ("min_severity", "grave"),
        ("settings", None),
        ("unknown", 1),
    ],
)
def test_destination__wrong__400_names_the_field(admin: Caller, field: str, value: Any) -> None:
    answer = admin.post("/destinations", {**body(), field: value})
    assert [error["field"].split(".")[0] for error in answer.body["errors"]] == [field]
    assert (answer.status, Hook.objects.count()) == (400, 0)


def test_mail_server__private_or_a_part_of_hawser__refused(admin: Caller, settings: Any) -> None:
    settings.HAWSER_REDIS_URL = "redis://127.0.0.1:6379/0"
    for host, port in (("10.1.2.3", 25), ("127.0.0.1", 6379)):
        answer = admin.post("/destinations", body("email", settings={**MAIL, "host": host, "port": port}))
        assert (answer.status, answer.body.get("code")) == (400, "address_refused"), host
    settings.HAWSER_HOOK_NETWORKS = ["10.1.0.0/16"]
    assert admin.post("/destinations", body("email", settings={**MAIL, "host": "10.1.2.3"})).status == 201


def test_destination__of_an_unknown_link_or_a_name_in_use__refused(admin: Caller, link: Link) -> None:
    assert admin.post("/destinations", body(link_id="l_aaaaaaaaaaaa")).status == 404
    one = add(admin)
    repeated = admin.post("/destinations", body())
    assert (repeated.status, repeated.body["code"]) == (409, "destination_exists")
    add(admin, link_id=link.pk)
    repeated = admin.post("/destinations", body(link_id=link.pk))
    assert (repeated.status, repeated.body["code"]) == (409, "destination_exists")
    other = add(admin, name="other")
    assert admin.call("PATCH", f"/destinations/{other['id']}", {"name": "slack"}).status == 409
    assert admin.call("PATCH", f"/destinations/{one['id']}", {"name": "slack"}).status == 200


def test_destination__more_than_may_be__refused(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "AT_MOST", 1)
    add(admin)
    answer = admin.post("/destinations", body(name="other"))
    assert (answer.status, answer.body["code"]) == (409, "too_many_destinations")


def test_destination__changed_and_deleted__secrets_stay_and_the_change_is_on_record(admin: Caller) -> None:
    one = add(admin, "email", settings={**MAIL, **LOGIN})
    path = f"/destinations/{one['id']}"
    changed = admin.call("PATCH", path, {"settings": {"recipients": ["zoe@example.net"]}, "min_severity": "blocker"})
    assert changed.status == 200, changed.body
    assert (changed.body["settings"]["recipients"], changed.body["target"]) == (
        ["zoe@example.net"],
        "1 recipient by 127.0.0.1",
    )
    assert changed.body["settings"]["user"] == "hawser"
    facts = AuditRecord.objects.get(action="api:destination:update").facts
    assert facts == {"min_severity": "blocker", "settings": ["recipients"], "receiver": "1 recipient by 127.0.0.1"}
    assert admin.call("PATCH", path, {"settings": {"url": SLACK_URL}}).status == 400
    assert admin.call("PATCH", path, {"service": "slack"}).status == 400
    assert admin.call("DELETE", path).status == 204
    assert admin.get(path).status == 404
    assert AuditRecord.objects.filter(action="api:destination:delete").exists()
    assert PASSWORD not in str(list(AuditRecord.objects.values()))


def test_mail_server__login_in_clear_text__refused(admin: Caller) -> None:
    answer = admin.post("/destinations", body("email", settings={**MAIL, **LOGIN, "security": "none"}))
    assert [error["field"] for error in answer.body.get("errors", [])] == ["settings.security"]


def test_mail_server__moved__its_password_is_asked_for_again(admin: Caller) -> None:
    """Else an administrator of the console gets the password of the relay."""
    path = f"/destinations/{add(admin, 'email', settings={**MAIL, **LOGIN})['id']}"
    for moved in ({"host": "localhost"}, {"port": 2526}, {"security": "starttls"}):
        answer = admin.call("PATCH", path, {"settings": moved})
        assert [error["field"] for error in answer.body.get("errors", [])] == ["settings.password"]
        assert admin.call("PATCH", path, {"settings": {**moved, "password": PASSWORD}}).status == 200


def test_destination__tested__sent_by_a_worker_and_listed(
    admin: Caller, viewer: Caller, receiver: Receiver, routed: list[str]
) -> None:
    receiver.text = "key=AKIAEXAMPLE"
    one = add(admin)
    answer = admin.post(f"/destinations/{one['id']}/test")
    assert (answer.status, answer.body["state"], answer.body["phase"]) == (202, "pending", "test")
    assert receiver.calls == []
    assert notifications.deliver_due() == 1
    assert len(receiver.calls) == 1
    [listed] = admin.get(f"/destinations/{one['id']}/deliveries").body["results"]
    assert (listed["id"], listed["state"], listed["answer"]) == (answer.body["id"], "delivered", "key=AKIAEXAMPLE")
    assert "AKIAEXAMPLE" not in str(viewer.get(f"/destinations/{one['id']}/deliveries").body)
    assert "AKIAEXAMPLE" not in str(viewer.get("/destinations").body)
    assert AuditRecord.objects.get(action="api:destination:test").facts == {
        "delivery": answer.body["id"],
        "receiver": "hooks.slack.com",
    }


def test_destination_and_webhook__are_not_reached_by_each_others_addresses(
    admin: Caller, link: Link, receiver: Receiver
) -> None:
    one, hook = add(admin, link_id=link.pk), make_hook(link, receiver)
    for path in ("", "/deliveries"):
        assert admin.get(f"/hooks/{one['id']}{path}").status == 404
        assert admin.get(f"/destinations/{hook.pk}{path}").status == 404
    assert [found["id"] for found in admin.get(f"/links/{link.pk}/hooks").body["results"]] == [hook.pk]
    assert [found["id"] for found in admin.get("/destinations").body["results"]] == [one["id"]]
    assert not Event.objects.filter(data__kind="hook.failed").exists()
    assert not Delivery.objects.exists()
