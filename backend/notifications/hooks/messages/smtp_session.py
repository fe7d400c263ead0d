"""An SMTP session to one address, whatever the name resolves to meanwhile, which is cut off when its time is up."""

from __future__ import annotations

import contextlib
import smtplib
import socket
import ssl
import time
from types import TracebackType
from typing import Self

from backend.common.outgoing.time_limit import cut_at
from backend.common.outgoing.url_policy import Target


class SmtpSession(smtplib.SMTP):
    """Connected while the block runs; the server's certificate is verified for its name."""

    def __init__(self, server: Target, address: str, until: float) -> None:
        # The name of this host is looked up if none is given; the address literal follows once it is known.
        super().__init__(timeout=max(0.1, until - time.monotonic()), local_hostname="[127.0.0.1]")
        self._server, self._address, self._until = server, address, until
        self._limit = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Connect, with TLS from the first byte if the destination asks for it."""
        self._limit.enter_context(cut_at(self._until, lambda: self.sock))
        try:
            plain = socket.create_connection((self._address, self._server.port), self.timeout)
            self.sock = self._secured(plain) if self._server.is_tls else plain
            self.local_hostname = _literal(self.sock.getsockname()[0])
            code, answer = self.getreply()
            if code != 220:
                raise smtplib.SMTPConnectError(code, answer)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def secure(self) -> None:
        """Go on with TLS (STARTTLS); SMTPException if the server does not offer it."""
        self.ehlo()
        if not self.has_extn("starttls"):
            raise smtplib.SMTPException("the server offers no STARTTLS; nothing was sent")
        code, answer = self.docmd("STARTTLS")
        if code != 220:
            raise smtplib.SMTPResponseException(code, answer)
        if self.sock is not None:
            self._secured(self.sock)
        self.file = None
        # What was said before TLS can be forged.
        self.helo_resp = self.ehlo_resp = None
        self.esmtp_features, self.does_esmtp = {}, False

    def _secured(self, plain: socket.socket) -> ssl.SSLSocket:
        """The socket with TLS. It is known as the session's own before the handshake, which may be cut off, too."""
        context = ssl.create_default_context()
        secured = context.wrap_socket(plain, server_hostname=self._server.host, do_handshake_on_connect=False)
        self.sock = secured
        secured.do_handshake()
        return secured

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take leave if the session is intact, and close it."""
        with self._limit:
            if kind is None and self.sock is not None:
                with contextlib.suppress(OSError, smtplib.SMTPException):
                    self.quit()
            self.close()


def _literal(address: str) -> str:
    return f"[IPv6:{address}]" if ":" in address else f"[{address}]"
