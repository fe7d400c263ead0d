"""E-mail to a real SMTP server on loopback: with and without TLS, refused, slow, gone."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.notifications.hooks import notifications
from backend.notifications.hooks.delivery import store_test
from backend.notifications.hooks.messages.mail import send_mail
from backend.notifications.hooks.messages.message import message_of
from backend.notifications.hooks.models import Delivery, DeliveryState
from tests.backend.hooks.messages.sent_events import raise_events
from tests.support.destinations import MAIL, make_destination
from tests.support.mail_server import MailServer, certified, mail_server, serving

__all__ = ["certified", "mail_server"]
LOGIN = {"user": "hawser", "password": "pa55-word-of-the-relay"}


def mail_settings(server: MailServer, **changes: Any) -> dict[str, Any]:
    """Settings that lead to the server."""
    return MAIL | {"port": server.port} | changes


def test_mail__event__one_mail_to_all_recipients(link: Link, mail_server: MailServer) -> None:
    make_destination("email", link, mail_settings(mail_server))
    raise_events(link, ("node.down", "blocker"), subject="db-a1 ä\r\nBcc: mallory@example.net")
    [(recipients, mail)] = mail_server.mails
    assert set(recipients) == {"anna@example.net", "ben@example.net"}
    assert mail["Subject"].startswith(f"{link.name}: db-a1 ä Bcc: mallory@example.net: node.down")
    assert (mail["From"], mail["Auto-Submitted"]) == ("Hawser <hawser@example.net>", "auto-generated")
    assert mail["Bcc"] is None
    assert "node.down & <!channel>" in mail.get_content()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.error) == (DeliveryState.DELIVERED, 250, "")


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mail__with_tls__verified_and_logged_in(link: Link, certified: ssl.SSLContext, security: str) -> None:
    is_implicit = security == "tls"
    options: dict[str, Any] = {"auth_require_tls": not is_implicit}
    given = {"ssl_context": certified} if is_implicit else {}
    with serving(None if is_implicit else certified, **options, **given) as server:
        make_destination("email", link, mail_settings(server, security=security, **LOGIN))
        raise_events(link, ("node.down", "blocker"))
        assert len(server.mails) == 1
        assert server.logins == [("hawser", LOGIN["password"])]


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mail__certificate_not_trusted_or_no_tls__password_is_kept(
    link: Link, certified: ssl.SSLContext, security: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    given = {"ssl_context": certified} if security == "tls" else {}
    with serving(None if security == "tls" else certified, auth_require_tls=False, **given) as server:
        make_destination("email", link, mail_settings(server, security=security, **LOGIN))
        raise_events(link, ("node.down", "blocker"))
        assert (server.mails, server.logins) == ([], [])
    assert "certificate" in Delivery.objects.get().error.lower()


def test_mail__server_offers_no_starttls__nothing_is_sent_in_clear(link: Link) -> None:
    with serving(auth_require_tls=False) as server:
        make_destination("email", link, mail_settings(server, security="starttls", **LOGIN))
        raise_events(link, ("node.down", "blocker"))
        assert (server.mails, server.logins) == ([], [])
    assert "no STARTTLS" in Delivery.objects.get().error


def test_mail__one_recipient_refused__the_others_get_it_once_and_an_event_says_so(
    link: Link, mail_server: MailServer
) -> None:
    mail_server.refused = {"ben@example.net"}
    make_destination("email", link, mail_settings(mail_server))
    raise_events(link, ("node.down", "blocker"))
    assert [recipients for recipients, _ in mail_server.mails] == [["anna@example.net"]]
    assert Delivery.objects.get().state == DeliveryState.DELIVERED
    event = Event.objects.get(data__kind="hook.failed")
    assert "1 of 2 recipients were refused" in event.data["message"]


@pytest.mark.parametrize("refuses", ["recipients", "mail"])
def test_mail__refused__tried_again(link: Link, mail_server: MailServer, refuses: str) -> None:
    if refuses == "recipients":
        mail_server.refused = set(MAIL["recipients"])
    else:
        mail_server.data_answer = "451 try later"
    make_destination("email", link, mail_settings(mail_server))
    raise_events(link, ("node.down", "blocker"))
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status) == (DeliveryState.PENDING, 550 if refuses == "recipients" else 451)
    assert str(delivery.status) in delivery.error
    assert delivery.due_at is not None


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that accepts a connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_mail__server_down_silent_or_slow__ends_with_the_time(link: Link, mail_server: MailServer, silent: int) -> None:
    mail_server.is_hanging = True
    payload = store_test(make_destination("email", link), due_at=None).payload
    for port, error in ((1, "refused"), (silent, "no response within 0.8 s"), (mail_server.port, "no response within")):
        reply = send_mail({**MAIL, "port": port}, message_of(payload), timeout_s=0.8)
        assert (reply.status, reply.is_taken) == (None, False)
        assert error in reply.error


def test_mail__name_leads_to_a_refused_address_by_now__not_connected_to(
    link: Link, mail_server: MailServer, settings: Any
) -> None:
    make_destination("email", link, mail_settings(mail_server))
    settings.HAWSER_HOOK_NETWORKS = ["10.9.0.0/16"]
    raise_events(link, ("node.down", "blocker"))
    assert mail_server.mails == []
    assert "HAWSER_HOOK_NETWORKS" in Delivery.objects.get().error
    assert notifications.deliver_due() == 0
