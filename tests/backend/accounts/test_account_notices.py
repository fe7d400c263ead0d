"""A changed account is told as an event, so that its user hears of it."""

from __future__ import annotations

from typing import Any

from backend.common.events.models import Event, EventType
from backend.identity.second_factors.models import Totp
from tests.support.console import PASSWORD, Caller, SignedIn, make_user

NEW = "marigold kestrel 4711"


def events_of(kind: str) -> list[dict[str, Any]]:
    events = [event.data for event in Event.objects.filter(type=EventType.RAISED)]
    return [data for data in events if data["kind"] == kind]


def test_password__changed__told_as_an_event_without_the_password(db: None) -> None:
    page = SignedIn(make_user("nora", "operator", PASSWORD))
    answer = page.post("/session/password", {"current_password": PASSWORD, "new_password": NEW})
    assert answer.status == 204
    events = events_of("account.password_changed")
    assert len(events) == 1
    event = events[0]
    assert event["message"].startswith("The password of nora was changed by its user.")
    assert (event["severity"], event["actor"], event["link_id"]) == ("warning", "nora", "")
    assert NEW not in str(event)


CHANGES: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"role": "operator"}, "account.changed", "eve has the role operator instead of viewer."),
    ({"password": NEW}, "account.password_changed", "The password of eve was changed by admin-1."),
    ({"is_active": False}, "account.changed", "eve cannot sign in any more."),
)


def test_user__role_password_or_state_changed__told_as_an_event(admin: Caller) -> None:
    admin.post("/users", {"username": "eve", "role": "viewer"})
    for change, kind, sentence in CHANGES:
        assert admin.call("PATCH", "/users/eve", change).status == 200
        events = [event for event in events_of(kind) if event["message"].startswith(sentence)]
        assert [event["actor"] for event in events] == ["admin-1"], change


def test_password__set_by_an_administrator__names_the_second_factors_that_stay(admin: Caller) -> None:
    Totp.objects.create(user=make_user("eve", "viewer"), sealed="x", last_step=0)
    assert admin.call("PATCH", "/users/eve", {"password": NEW}).status == 200
    (event,) = events_of("account.password_changed")
    assert "Second factors that stay: totp. Remove them if others may have them." in event["message"]


def test_user__changed_to_what_it_was__nothing_is_raised(admin: Caller) -> None:
    admin.post("/users", {"username": "eve", "role": "viewer"})
    assert admin.call("PATCH", "/users/eve", {"role": "viewer"}).status == 200
    assert events_of("account.changed") == []
