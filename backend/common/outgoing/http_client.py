"""Makes one HTTP call to a webhook: limited in total time, to one checked address, without redirects.

It uses the standard library's client, because the address must be resolved, checked and connected to in one go, and
because no proxy of the environment may be used.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
import unicodedata
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from backend.common.outgoing.addresses import RECEIVERS
from backend.common.outgoing.time_limit import cut_at
from backend.common.outgoing.url_policy import Target, TargetError, address_of, parse
from backend.common.redaction import redact_text

ANSWER_BYTES = 4096
ANSWER_CHARS = 500


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of a call: an HTTP status with the beginning of the response, or an error instead.

    `retry_after_s` is what the receiver asks for before the next call; 0 if it asks for nothing.
    """

    status: int | None
    ms: float
    answer: str = ""
    error: str = ""
    retry_after_s: float = 0.0

    @property
    def is_taken(self) -> bool:
        """Whether the receiver accepted the call."""
        return self.status is not None and 200 <= self.status < 300


def post(url: str, body: bytes, headers: Mapping[str, str], *, timeout_s: float, allowed: str = RECEIVERS) -> Reply:
    """Send; `timeout_s` limits resolving, connecting and answering together. Never raises for the receiver's fault.

    `allowed` names the setting with the networks that may be called.
    """
    began = time.monotonic()
    until = began + timeout_s
    try:
        target = parse(url)
        address = str(address_of(target, timeout_s, allowed=allowed))
        status, answer, retry_after_s = _exchange(PinnedConnection(target, address, until), target, body, headers)
    except TargetError as error:
        return Reply(None, _ms(began), error=str(error))
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() >= until
        return Reply(None, _ms(began), error=f"no response within {timeout_s:g} s" if late else error_text(error))
    if 300 <= status < 400:
        return Reply(status, _ms(began), answer, f"responded with {status}: redirects are not followed")
    refusal = "" if 200 <= status < 300 else f"answered {status}"
    return Reply(status, _ms(began), answer, refusal, retry_after_s)


class PinnedConnection(http.client.HTTPConnection):
    """A connection to one address, whatever the name resolves to meanwhile."""

    def __init__(self, target: Target, address: str, until: float, ca_file: str | None = None) -> None:
        super().__init__(target.host, target.port, timeout=max(0.1, until - time.monotonic()))
        self._target, self._address, self.until, self._ca_file = target, address, until, ca_file

    def connect(self) -> None:
        """Connect, and for https verify the receiver's certificate for its name."""
        self.sock = socket.create_connection((self._address, self._target.port), self.timeout)
        if self._target.is_tls:
            context = ssl.create_default_context(cafile=self._ca_file)
            self.sock = context.wrap_socket(self.sock, server_hostname=self._target.host, do_handshake_on_connect=False)
            self.sock.do_handshake()


def _exchange(
    connection: PinnedConnection, target: Target, body: bytes, headers: Mapping[str, str]
) -> tuple[int, str, float]:
    """Status, beginning of the response and the wait that it asks for.

    A receiver that sends slowly is cut off when the time is up.
    """
    with cut_at(connection.until, lambda: connection.sock), closing(connection):
        connection.request("POST", target.path, body, {**headers, "Host": target.header})
        response = connection.getresponse()
        if time.monotonic() >= connection.until:
            raise TimeoutError("cut off within its headers")
        return response.status, readable(_beginning(response)), _retry_after_s(response)


def _beginning(response: http.client.HTTPResponse) -> bytes:
    """The status has decided already, so an interrupted response is only shorter."""
    try:
        return response.read(ANSWER_BYTES)
    except (OSError, http.client.HTTPException):
        return b""


def _retry_after_s(response: http.client.HTTPResponse) -> float:
    """Seconds of `Retry-After`; a date is left to the caller's own delays."""
    text = response.getheader("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0


def readable(raw: bytes) -> str:
    """The beginning of the response as one line without control characters or secrets."""
    text = " ".join(raw.decode("utf-8", "replace").split())
    plain = "".join(char for char in text if unicodedata.category(char)[0] != "C")
    return redact_text(plain)[:ANSWER_CHARS]


def error_text(error: Exception) -> str:
    """What failed, as one line without secrets."""
    return redact_text(str(error) or type(error).__name__)[:ANSWER_CHARS]


def _ms(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 1)
