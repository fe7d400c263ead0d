"""Preferences of a user and the table of privileges, over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.common.roles import PERMISSIONS, Permission, Role
from backend.identity.accounts.models import Preferences
from tests.support.console import Answer, SignedIn

DEFAULTS = {
    "time_zone": "UTC",
    "time_format": "24h",
    "density": "comfortable",
    "color_scheme": "auto",
    "link_views": [],
    "workflow_view": "steps",
    "tour": "offered",
}
VIEW = {"name": "Broken in Milan", "search": "site=milan&state=broken"}


@pytest.fixture
def page(signed_in: Callable[[str], SignedIn]) -> SignedIn:
    return signed_in("viewer")


def _save(page: SignedIn, changes: dict[str, Any]) -> Answer:
    return page.call("PATCH", "/account/preferences", changes)


def test_preferences__never_changed__defaults_and_nothing_stored(page: SignedIn) -> None:
    assert page.get("/account/preferences").body == DEFAULTS
    assert page.get("/session").body["preferences"] == DEFAULTS
    assert not Preferences.objects.exists()


def test_preferences__one_changed__others_keep_their_value(page: SignedIn) -> None:
    _save(page, {"time_zone": "Europe/Rome"})
    answer = _save(page, {"density": "compact"})
    assert answer.body == DEFAULTS | {"time_zone": "Europe/Rome", "density": "compact"}
    assert page.get("/session").body["preferences"] == answer.body


def test_preferences__of_another_user__unchanged(signed_in: Callable[[str], SignedIn]) -> None:
    _save(signed_in("viewer"), {"color_scheme": "dark"})
    assert signed_in("operator").get("/account/preferences").body == DEFAULTS


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("time_zone", "Mars/Olympus"),
        ("time_zone", "../../etc/passwd"),
        ("time_zone", ""),
        ("time_format", "13h"),
        ("density", "huge"),
        ("color_scheme", None),
        ("link_views", [VIEW, VIEW]),
        ("link_views", [{**VIEW, "name": str(n)} for n in range(21)]),
        ("workflow_view", "both"),
        ("tour", "7"),
    ],
)
def test_preferences__unusable_value__refused_by_field(page: SignedIn, field: str, value: Any) -> None:
    answer = _save(page, {field: value})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)
    assert not Preferences.objects.exists()


def test_preferences__saved_views__kept_in_their_order_and_replaced_as_a_whole(page: SignedIn) -> None:
    views = [VIEW, {"name": "All", "search": ""}]
    assert _save(page, {"link_views": views}).body["link_views"] == views
    assert _save(page, {"density": "compact"}).body["link_views"] == views
    assert _save(page, {"link_views": []}).body["link_views"] == []


@pytest.mark.parametrize(
    "view", [{**VIEW, "name": ""}, {**VIEW, "search": "x" * 501}, {**VIEW, "other": 1}, {"name": "x"}]
)
def test_preferences__saved_view_that_is_none__refused(page: SignedIn, view: dict[str, Any]) -> None:
    assert _save(page, {"link_views": [view]}).status == 400


def test_preferences__local_zone__taken(page: SignedIn) -> None:
    assert _save(page, {"time_zone": "local"}).body["time_zone"] == "local"


def test_roles__for_every_user__the_table_that_calls_are_checked_against(page: SignedIn) -> None:
    answer = page.get("/roles").body
    assert [entry["role"] for entry in answer["roles"]] == list(Role)
    assert {entry["role"]: set(entry["permissions"]) for entry in answer["roles"]} == PERMISSIONS
    assert [entry["permission"] for entry in answer["permissions"]] == list(Permission)
    assert all(entry["description"] for entry in answer["permissions"])
