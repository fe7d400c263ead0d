"""A mail server on this machine, by aiosmtpd: keeps what it was sent, and refuses or hangs as it was told to."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from deploy.lab.layout import Node
from deploy.lab.server import tls
from deploy.services.net import free_port


@dataclass
class MailServer:
    """`refused` recipients get 550, `data_answer` ends each mail; while `is_hanging` no mail is answered."""

    port: int
    mails: list[tuple[list[str], EmailMessage]] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    data_answer: str = "250 OK"
    is_hanging: bool = False

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        """One recipient."""
        if address in self.refused:
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        """One mail."""
        if self.is_hanging:
            await asyncio.Event().wait()
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append((list(envelope.rcpt_tos), mail))
        return self.data_answer

    def login(self, server: SMTP, session: Any, envelope: Any, mechanism: str, data: LoginPassword) -> AuthResult:
        """Every login is taken."""
        self.logins.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=True)


@contextmanager
def serving(context: ssl.SSLContext | None = None, **options: Any) -> Iterator[MailServer]:
    """A mail server that listens until the block ends; with a context it offers STARTTLS."""
    found = MailServer(free_port())
    controller = Controller(
        found, hostname="127.0.0.1", port=found.port, tls_context=context, authenticator=found.login, **options
    )
    controller.start()
    try:
        yield found
    finally:
        controller.stop()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A relay without TLS."""
    with serving() as found:
        yield found


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The context of a server on 127.0.0.1 whose certificate this process trusts."""
    tls.ensure(tmp_path, [Node("own", "a", 1, "127.0.0.1", 1, 1)])
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "own.pem", tmp_path / "own.key")
    return context
