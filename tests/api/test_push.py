"""Web Push over HTTP: own browsers only, which addresses are refused, what is never shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.notifications.web_push.models import PushSubscription
from backend.notifications.web_push.services import AT_MOST
from tests.support.console import Answer, Caller, SignedIn
from tests.support.push_service import CHOICE, SUBSCRIPTIONS, FakeBrowser, browser

__all__ = ["browser"]


@pytest.fixture
def page(signed_in: Callable[[str], SignedIn]) -> SignedIn:
    return signed_in("viewer")


def add(page: Caller, browser: FakeBrowser, **changes: Any) -> Answer:
    """Ask for this browser to be added."""
    return page.post(SUBSCRIPTIONS, browser.body | changes, User_Agent="Mozilla/5.0 Firefox/140.0")


def test_browser__added__shown_to_its_user_without_its_address(page: SignedIn, browser: FakeBrowser) -> None:
    answer = add(page, browser, approvals=False)
    assert answer.status == 201, answer.body
    shown = page.get("/push").body
    assert len(shown["public_key"]) == 87
    assert shown["at_most"] == AT_MOST
    assert shown["subscriptions"] == [answer.body]
    expected = CHOICE | {"approvals": False, "failures": 0, "last_error": "", "last_success_at": None}
    assert expected.items() <= answer.body.items()
    assert (answer.body["push_service"], answer.body["user_agent"]) == ("127.0.0.1", "Mozilla/5.0 Firefox/140.0")
    assert "canary-Zx81-endpoint" not in str(shown)
    facts = AuditRecord.objects.get(action="api:push_subscription:create").facts
    assert (facts["user"], facts["push_service"], facts["approvals"]) == (page.user.username, "127.0.0.1", False)


def test_browser__added_again__has_the_new_choice_and_one_row(page: SignedIn, browser: FakeBrowser) -> None:
    first = add(page, browser).body
    changed = add(page, browser, incidents=False)
    assert (changed.status, changed.body["id"], changed.body["incidents"]) == (201, first["id"], False)
    assert len(page.get("/push").body["subscriptions"]) == 1


def test_browser__of_another_user__neither_seen_nor_removed_nor_tested(
    signed_in: Callable[[str], SignedIn], browser: FakeBrowser
) -> None:
    one = add(signed_in("operator"), browser).body["id"]
    admin = signed_in("admin")
    assert admin.get("/push").body["subscriptions"] == []
    assert admin.call("DELETE", f"{SUBSCRIPTIONS}/{one}").status == 404
    assert admin.post(f"{SUBSCRIPTIONS}/{one}/test").status == 404
    assert (PushSubscription.objects.count(), browser.receiver.calls) == (1, [])


def test_browser__turned_on_by_the_next_user__belongs_to_that_one_alone(
    signed_in: Callable[[str], SignedIn], browser: FakeBrowser
) -> None:
    first, second = signed_in("operator"), signed_in("viewer")
    add(first, browser)
    assert add(second, browser).status == 201
    assert first.get("/push").body["subscriptions"] == []
    assert len(second.get("/push").body["subscriptions"]) == 1
    record = AuditRecord.objects.get(action="api:push_subscription:delete")
    assert (record.actor, record.facts["user"]) == (second.user.username, first.user.username)


def test_browser__removed__gone_and_recorded(page: SignedIn, browser: FakeBrowser) -> None:
    one = add(page, browser).body["id"]
    assert page.call("DELETE", f"{SUBSCRIPTIONS}/{one}").status == 204
    assert page.get("/push").body["subscriptions"] == []
    assert AuditRecord.objects.get(action="api:push_subscription:delete").target == one


def test_browser__by_a_token__refused(viewer: Caller, browser: FakeBrowser) -> None:
    answer = add(viewer, browser)
    assert (answer.status, answer.body.get("code")) == (403, "session_needed")
    assert not PushSubscription.objects.exists()


def test_browser__beyond_the_limit__refused(page: SignedIn, browser: FakeBrowser) -> None:
    url = browser.receiver.url
    for number in range(AT_MOST):
        assert add(page, browser, endpoint=f"{url}{number}").status == 201
    answer = add(page, browser)
    assert (answer.status, answer.body["code"]) == (409, "too_many_push_subscriptions")
    assert add(page, browser, endpoint=f"{url}0").status == 201


def test_console__without_a_key__says_so(page: SignedIn, browser: FakeBrowser, settings: Any) -> None:
    settings.HAWSER_WEB_PUSH_KEY = ""
    assert page.get("/push").body["public_key"] is None
    answer = add(page, browser)
    assert (answer.status, answer.body["code"]) == (409, "push_not_configured")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("endpoint", "http://192.0.2.1/x"),
        ("endpoint", "https://10.0.0.1/x"),
        ("endpoint", "https://192.168.1.1:8443/x"),
        ("endpoint", "https://169.254.169.254/latest"),
        ("endpoint", "https://[fe80::1]/x"),
        ("endpoint", "https://[2001:4860:4860::8888]/x"),
        ("endpoint", "https://[::ffff:10.0.0.1]/x"),
        ("endpoint", "https://user:pass@127.0.0.1/x"),
        ("endpoint", "ftp://127.0.0.1/x"),
        ("endpoint", ""),
        ("p256dh", "AAAA"),
        ("p256dh", "not base64"),
        ("auth", "AAAA"),
        ("auth", "é"),
        ("incidents", "perhaps"),
        ("unknown", 1),
    ],
)
def test_browser__bad_value__400_names_the_field(page: SignedIn, browser: FakeBrowser, field: str, value: Any) -> None:
    answer = add(page, browser, **{field: value})
    assert answer.status == 400, answer.body
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert not PushSubscription.objects.exists()


def test_endpoint__on_this_machine_in_production_or_a_part_of_hawser__refused(
    page: SignedIn, browser: FakeBrowser, settings: Any
) -> None:
    settings.HAWSER_WEB_ADDRESSES = [f"127.0.0.1:{browser.receiver.port}"]
    assert add(page, browser).body.get("code") == "address_refused"
    settings.HAWSER_WEB_ADDRESSES, settings.HAWSER_ALLOW_LOOPBACK = [], False
    assert add(page, browser).body.get("code") == "address_refused"
    assert add(page, browser, endpoint="https://localhost/x").body["code"] == "address_refused"


def test_endpoint__networks_of_push_services__are_their_own(
    page: SignedIn, browser: FakeBrowser, settings: Any
) -> None:
    settings.HAWSER_HOOK_NETWORKS = ["10.0.0.0/8"]
    assert add(page, browser, endpoint="https://10.0.0.1/x").body["code"] == "address_refused"
    settings.HAWSER_WEB_PUSH_NETWORKS = ["10.0.0.0/8"]
    assert add(page, browser, endpoint="https://10.0.0.1/x").status == 201
    assert add(page, browser).body.get("code") == "address_refused"


def test_test__accepted_or_refused__the_outcome_is_the_answer(page: SignedIn, browser: FakeBrowser) -> None:
    one = add(page, browser).body["id"]
    accepted = page.post(f"{SUBSCRIPTIONS}/{one}/test")
    assert (accepted.status, accepted.body["is_accepted"], accepted.body["status"]) == (200, True, 200)
    assert [message["kind"] for message in browser.messages] == ["test"]
    browser.receiver.answers = [403]
    refused = page.post(f"{SUBSCRIPTIONS}/{one}/test").body
    assert (refused["is_accepted"], refused["error"], refused["is_removed"]) == (False, "answered 403", False)
    browser.receiver.answers = [410]
    assert page.post(f"{SUBSCRIPTIONS}/{one}/test").body["is_removed"] is True
    assert page.get("/push").body["subscriptions"] == []
