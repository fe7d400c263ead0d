"""A changed account is told as an event, so that its user hears of it."""

from __future__ import annotations

from typing import Any

import pytest

from backend.common.events.models import Event, EventType
from tests.support.console import PASSWORD, Caller, SignedIn, make_user

NEW = "marigold kestrel 4711"


def told(kind: str) -> list[dict[str, Any]]:
    events = [event.data for event in Event.objects.filter(type=EventType.RAISED)]
    return [data for data in events if data["kind"] == kind]


def test_password__changed__told_as_an_event_without_the_password(db: None) -> None:
    page = SignedIn(make_user("nora", "operator", PASSWORD))
    answer = page.post("/session/password", {"current_password": PASSWORD, "new_password": NEW})
    assert answer.status == 204
    (event,) = told("account.password_changed")
    assert event["message"].startswith("The password of nora was changed by its user.")
    assert (event["severity"], event["actor"], event["link_id"]) == ("warning", "nora", "")
    assert NEW not in str(event)


@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"role": "operator"}, "account.changed", "eve has the role operator instead of viewer."),
        ({"is_active": False}, "account.changed", "eve cannot sign in any more."),
        ({"password": NEW}, "account.password_changed", "The password of eve was changed by admin-1."),
    ],
)
def test_user__role_password_or_state_changed__told_as_an_event(
    admin: Caller, change: dict[str, Any], kind: str, said: str
) -> None:
    admin.post("/users", {"username": "eve", "role": "viewer"})
    assert admin.call("PATCH", "/users/eve", change).status == 200
    events = [(event["message"][: len(said)], event["actor"]) for event in told(kind)]
    assert events == [(said, "admin-1")]


def test_user__changed_to_what_it_was__nothing_is_told(admin: Caller) -> None:
    admin.post("/users", {"username": "eve", "role": "viewer"})
    assert admin.call("PATCH", "/users/eve", {"role": "viewer"}).status == 200
    assert told("account.changed") == []
