"""Sends a message by e-mail: written by Apprise, sent by one SMTP session to one checked address, limited in time.

Only a worker imports this module, when it sends: it imports Apprise.
"""

from __future__ import annotations

import smtplib
import time
from collections.abc import Mapping
from typing import Any

from apprise import NotifyFormat
from apprise.plugins.email import NotifyEmail

from backend.common.outgoing.http_client import Reply, error_text, readable
from backend.common.outgoing.url_policy import TargetError, address_of
from backend.notifications.hooks.messages.addresses import mail_server
from backend.notifications.hooks.messages.message import Message
from backend.notifications.hooks.messages.smtp_session import SmtpSession

_HEADERS = {"Auto-Submitted": "auto-generated"}
"""So that no absent recipient answers."""


def send_mail(fields: Mapping[str, Any], message: Message, *, timeout_s: float) -> Reply:
    """One mail to all recipients. Never raises for the server's fault; `status` is that of SMTP."""
    began = time.monotonic()
    until = began + timeout_s
    try:
        server = mail_server(fields)
        address = str(address_of(server, timeout_s))
        with SmtpSession(server, address, until) as session:
            status, error = _exchange(session, fields, written(fields, message))
    except TargetError as fault:
        status, error = None, str(fault)
    except smtplib.SMTPResponseException as fault:
        status, error = fault.smtp_code, f"answered {fault.smtp_code} {readable(_bytes(fault.smtp_error))}"
    except (OSError, smtplib.SMTPException, ValueError) as fault:
        is_late = time.monotonic() >= until
        status, error = None, f"no response within {timeout_s:g} s" if is_late else error_text(fault)
    return Reply(status, round((time.monotonic() - began) * 1000, 1), error=error)


def written(fields: Mapping[str, Any], message: Message) -> bytes:
    """The mail, with its headers."""
    first, *further = fields["recipients"]
    [mail] = NotifyEmail.prepare_emails(
        subject=message.headline,
        body=message.text,
        from_addr=("Hawser", fields["sender"]),
        to=[(False, first)],
        cc=set(further),
        notify_format=NotifyFormat.TEXT,
        headers=_HEADERS,
    )
    return str(mail.body).encode()


def _exchange(session: SmtpSession, fields: Mapping[str, Any], mail: bytes) -> tuple[int, str]:
    """Status, and who was refused: the others got the mail, so it is not sent again."""
    if fields["security"] == "starttls":
        session.secure()
    if fields.get("user"):
        session.login(fields["user"], fields.get("password", ""))
    try:
        refused = session.sendmail(fields["sender"], fields["recipients"], mail)
    except smtplib.SMTPRecipientsRefused as fault:
        code, answer = next(iter(fault.recipients.values()))
        raise smtplib.SMTPResponseException(code, answer) from fault
    return 250, f"{len(refused)} of {len(fields['recipients'])} recipients were refused" if refused else ""


def _bytes(answer: bytes | str) -> bytes:
    return answer if isinstance(answer, bytes) else answer.encode()
