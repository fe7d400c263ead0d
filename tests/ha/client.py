"""A client that follows the retry rule of docs/reference/automation-by-api.md."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from tests.galera.console import Answer, Console, Json

PASSING = frozenset({502, 503, 504})
IN_PROGRESS = "idempotency_in_progress"
GIVE_UP_S = 180.0
"""A key whose first call ended with its web process is free after two minutes at the latest."""
PAUSES_S = (0.1, 0.3, 1.0, 2.0)
TIMEOUT_S = 40.0


@dataclass
class Attempted:
    """One call with all its attempts."""

    method: str
    path: str
    began: float
    took_s: float = 0.0
    tries: list[str] = field(default_factory=list)
    """The status of each attempt, or the name of the error that ended it."""
    status: int = 0
    """Of the answer; 0 where there was none until the client gave up."""


def unverified() -> ssl.SSLContext:
    """A client side that takes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # the proxy's certificate is a test's own
    return context


class Client:
    """Calls through the proxy; each thread has a connection of its own, which stays open."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.calls: list[Attempted] = []
        self._own = threading.local()
        self._open: list[http.client.HTTPSConnection] = []
        self.context = unverified()

    def call(self, method: str, path: str, body: Json | None = None, if_match: str = "") -> Answer:
        """One call, repeated as the rule says; the last answer where it never succeeds."""
        text = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"If-Match": if_match} if if_match else {}
        headers |= {"Idempotency-Key": str(uuid.uuid4())} if method != "GET" else {}
        made = Attempted(method, path, time.monotonic())
        self.calls.append(made)
        answer = self._repeated(made, text, headers)
        made.took_s, made.status = time.monotonic() - made.began, answer.status
        return answer

    def _repeated(self, made: Attempted, text: str | None, headers: dict[str, str]) -> Answer:
        answer = Answer(0, {})
        while time.monotonic() - made.began < GIVE_UP_S:
            try:
                answer = self._once(made.method, made.path, text, headers)
            except (OSError, http.client.HTTPException) as error:
                made.tries.append(type(error).__name__)
                self._close()
            else:
                made.tries.append(str(answer.status))
                if answer.status not in PASSING and answer.body.get("code") != IN_PROGRESS:
                    return answer
            time.sleep(PAUSES_S[min(len(made.tries), len(PAUSES_S)) - 1])
        return answer

    def _once(self, method: str, path: str, text: str | None, headers: dict[str, str]) -> Answer:
        connection = self._connection()
        connection.request(method, f"/api/v1{path}", text, headers)
        with connection.getresponse() as response:
            raw = response.read()
        is_json = "json" in (response.headers.get("Content-Type") or "")
        body: Any = json.loads(raw) if raw and is_json else {}
        return Answer(response.status, body if isinstance(body, dict) else {"items": body})

    def _connection(self) -> http.client.HTTPSConnection:
        found: http.client.HTTPSConnection | None = getattr(self._own, "connection", None)
        if found is None:
            found = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=TIMEOUT_S, context=self.context)
            self._own.connection = found
            self._open.append(found)
        return found

    def _close(self) -> None:
        """Of this thread; the next call opens another one."""
        self._connection().close()
        self._own.connection = None

    def end(self) -> None:
        """Close every connection; no call is under way."""
        for connection in self._open:
            connection.close()


@dataclass(frozen=True)
class RetryingConsole(Console):
    """The console of the scenarios, by that client."""

    client: Client = field(default_factory=lambda: Client(0, ""))

    def call(self, method: str, path: str, body: Json | None = None, if_match: str = "") -> Answer:
        """One call, repeated as the rule says."""
        return self.client.call(method, path, body, if_match)
