"""Messages to browsers: encrypted for the browser, signed by the console, repeated, and ended."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.selectors import latest_id
from backend.common.models import ProcessHeartbeat
from backend.identity.accounts import services as accounts
from backend.identity.accounts.access import end_all_access
from backend.identity.accounts.models import User
from backend.notifications.web_push import delivery, dispatch, vapid
from backend.notifications.web_push.address import PushAddress
from backend.notifications.web_push.models import MessageState, PushMessage, PushSubscription
from backend.notifications.web_push.services import subscribe
from tests.support.clock import stop_present
from tests.support.console import make_user
from tests.support.push_service import CHOICE, FakeBrowser, browser, claims_of

__all__ = ["browser"]


@pytest.fixture
def nora(db: None) -> User:
    return make_user("nora", "operator")


def added(user: User, browser: FakeBrowser, **choice: bool) -> PushSubscription:
    """The browser, subscribed."""
    given = browser.body
    address = PushAddress(given["endpoint"], given["p256dh"], given["auth"])
    return subscribe(user=user, address=address, user_agent="Firefox", choice={**CHOICE, **choice})


def raised(link: Link, kind: str = "node.down", severity: str = "blocker", message: str = "db-a1 is down.") -> None:
    """An event of the link."""
    run_id = "r_abcdefghijkl" if kind.startswith("run.") else ""
    events.raised(link_id=link.id, kind=kind, severity=severity, message=message, run_id=run_id)


def delivered() -> int:
    """What the monitor and a worker do."""
    dispatch.sweep()
    return delivery.deliver_due()


def make_due() -> None:
    """The delay before the next attempt is over."""
    PushMessage.objects.filter(due_at__isnull=False).update(due_at=timezone.now() - timedelta(seconds=1))


def test_incident__read_by_the_browser__says_what_happened_and_where(
    link: Link, nora: User, browser: FakeBrowser
) -> None:
    subscription = added(nora, browser)
    raised(link, message="db-a1: MASTER_PASSWORD='canary'")
    assert delivered() == 1
    assert browser.messages == [
        {
            "kind": "incident",
            "link": link.name,
            "sentence": "db-a1: MASTER_PASSWORD=***",
            "path": f"/links/{link.id}",
            "tag": f"link {link.id}",
        }
    ]
    subscription.refresh_from_db()
    assert (subscription.failures, subscription.last_success_at is not None) == (0, True)


def test_call__as_the_push_service_sees_it__encrypted_and_signed_by_this_console(
    link: Link, nora: User, browser: FakeBrowser, settings: Any
) -> None:
    settings.HAWSER_WEB_PUSH_CONTACT = "mailto:dba@example.net"
    added(nora, browser)
    raised(link)
    delivered()
    [call] = browser.receiver.calls
    for text in ("db-a1", link.name, link.id):
        assert text.encode() not in call.body
        assert text not in str(call.headers)
    claims = claims_of(call)
    assert claims["aud"] == f"http://127.0.0.1:{browser.receiver.port}"
    assert claims["sub"] == "mailto:dba@example.net"
    assert 0 < claims["exp"] - timezone.now().timestamp() <= 24 * 3600
    assert call.headers["Authorization"].endswith(f"k={vapid.public_key()}")
    headers = {name: call.headers[name] for name in ("Content-Encoding", "TTL", "Urgency")}
    assert headers == {"Content-Encoding": "aes128gcm", "TTL": "3600", "Urgency": "high"}


def test_choice__each_kind__only_what_was_chosen_leads_to_its_page(
    link: Link, nora: User, browser: FakeBrowser
) -> None:
    subscription = added(nora, browser)
    happened = [("node.down", "unknown"), ("run.waiting_approval", "warning"), ("run.failed", "blocker")]
    for name, kind, path in (
        ("incidents", "incident", f"/links/{link.id}"),
        ("approvals", "approval", "/runs/r_abcdefghijkl/approve"),
        ("failed_runs", "failed_run", "/runs/r_abcdefghijkl"),
    ):
        only = dict.fromkeys(CHOICE, False) | {name: True}
        PushSubscription.objects.filter(pk=subscription.pk).update(event_cursor=latest_id(), **only)
        for event_kind, severity in (*happened, ("node.up", "ok"), ("link.degraded", "warning")):
            raised(link, event_kind, severity)
        browser.receiver.calls.clear()
        delivered()
        assert [(one["kind"], one["path"]) for one in browser.messages] == [(kind, path)]


def test_event__seen_twice_before_the_subscription_or_in_maintenance__not_sent_again(
    link: Link, nora: User, browser: FakeBrowser
) -> None:
    raised(link)
    added(nora, browser)
    assert delivered() == 0
    raised(link)
    assert [delivered(), delivered()] == [1, 0]
    Link.objects.filter(pk=link.pk).update(paused_until=timezone.now() + timedelta(hours=1))
    raised(link)
    assert delivered() == 0
    raised(link, "run.failed")
    assert delivered() == 1


def test_event_of_the_console__sent_without_a_link(link: Link, nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    events.raised(link_id="", kind="audit.damaged", severity="blocker", message="The audit log is damaged.")
    delivered()
    assert [(one["link"], one["path"], one["tag"]) for one in browser.messages] == [("", "/links", "console")]


@pytest.mark.parametrize("status", [404, 410])
def test_browser__unknown_to_its_push_service__removed_and_recorded(
    link: Link, nora: User, browser: FakeBrowser, status: int
) -> None:
    subscription = added(nora, browser)
    browser.receiver.answers = [status]
    raised(link)
    delivered()
    assert not PushSubscription.objects.exists()
    record = AuditRecord.objects.get(action="console:push_subscription:gone")
    assert (record.target, record.facts) == (subscription.pk, {"user": "nora", "push_service": "127.0.0.1"})


@pytest.mark.parametrize("status", [429, 500, 503])
def test_push_service__overloaded__tried_again_later_and_given_up_in_the_end(
    link: Link, nora: User, browser: FakeBrowser, status: int
) -> None:
    subscription = added(nora, browser)
    browser.receiver.answers = [status]
    raised(link)
    for _ in delivery.BACKOFF:
        assert delivered() == 1
        assert delivered() == 0, "not before the delay is over"
        make_due()
    assert delivered() == 1
    make_due()
    assert delivered() == 0
    assert PushMessage.objects.get().state == MessageState.FAILED
    subscription.refresh_from_db()
    assert (subscription.failures, subscription.last_error) == (len(delivery.BACKOFF) + 1, f"answered {status}")
    browser.receiver.answers = [201]
    raised(link)
    delivered()
    subscription.refresh_from_db()
    assert (subscription.failures, subscription.last_error) == (0, "")


def test_push_service__asks_for_a_wait__gets_it_for_all_its_messages(
    link: Link, nora: User, browser: FakeBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = stop_present(monkeypatch)
    added(nora, browser)
    browser.receiver.answers, browser.receiver.headers = [429], {"Retry-After": "600"}
    raised(link)
    raised(link)
    assert delivered() == 1
    for message in PushMessage.objects.filter(state=MessageState.PENDING):
        assert message.due_at == present + timedelta(seconds=600)


@pytest.mark.parametrize("status", [302, 400, 403, 413])
def test_push_service__refuses_the_call__not_repeated_and_shown(
    link: Link, nora: User, browser: FakeBrowser, status: int
) -> None:
    subscription = added(nora, browser)
    browser.receiver.answers = [status]
    raised(link)
    delivered()
    make_due()
    assert delivered() == 0
    subscription.refresh_from_db()
    assert subscription.failures == 1
    assert str(status) in subscription.last_error


def test_message__an_hour_late_or_of_a_disabled_user__not_sent(link: Link, nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    raised(link)
    raised(link)
    dispatch.sweep()
    late = PushMessage.objects.order_by("id")[0]
    PushMessage.objects.filter(pk=late.pk).update(created_at=timezone.now() - timedelta(hours=2))
    User.objects.filter(pk=nora.pk).update(is_active=False)
    delivery.deliver_due()
    assert browser.receiver.calls == []


def test_worker__killed_with_a_message__the_next_takes_it(link: Link, nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    raised(link)
    dispatch.sweep()
    assert delivery._claim() is not None
    assert delivery.deliver_due() == 0
    make_due()
    assert delivery.deliver_due() == 1


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another horse battery staple"}])
def test_user__disabled_or_with_a_new_password__gets_no_more_messages(
    link: Link, nora: User, browser: FakeBrowser, change: dict[str, Any]
) -> None:
    make_user("ada", "admin")
    added(nora, browser)
    raised(link)
    dispatch.sweep()
    accounts.user_update(actor="test", user=nora, **change)
    assert AuditRecord.objects.get(action="api:user:update").facts["push_subscriptions_removed"] == 1
    assert not PushSubscription.objects.exists()
    assert delivered() == 0


def test_user__deleted__takes_the_browsers_along(link: Link, nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    nora.delete()
    assert not PushSubscription.objects.exists()


def test_access__of_all_ended_after_a_restore__all_browsers_are_removed(nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    assert end_all_access()["push_subscriptions_removed"] == 1
    assert not PushSubscription.objects.exists()


def test_address__in_the_database_and_the_audit_log__not_readable(link: Link, nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    raised(link)
    delivered()
    tables = (PushSubscription, PushMessage, AuditRecord)
    stored = str([list(table._default_manager.values()) for table in tables])
    assert "canary-Zx81-endpoint" not in stored
    assert browser.body["auth"] not in stored


def test_messages__a_day_old__are_deleted(link: Link, nora: User, browser: FakeBrowser) -> None:
    added(nora, browser)
    raised(link)
    delivered()
    PushMessage.objects.update(created_at=timezone.now() - timedelta(hours=25))
    PushSubscription.objects.update(event_cursor=latest_id())
    ProcessHeartbeat.objects.filter(instance="push forget").delete()
    dispatch.sweep()
    assert not PushMessage.objects.exists()
