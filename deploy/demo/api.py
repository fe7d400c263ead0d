"""The calls of the console's REST API that the demo needs."""

from __future__ import annotations

import http.client
import json
import uuid
from typing import Any

from deploy.services.process import ServiceError

TIMEOUT_S = 120.0
"""A plan for a lost source takes more than 30 s over 150 ms with 1 % loss."""


class Api:
    """Calls with a bearer token. Every unsafe call has an idempotency key of its own."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port, self.token = port, token

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Status and decoded body (None if there is none). OSError if no server is listening."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        try:
            return answer.status, json.loads(text) if text else None
        except json.JSONDecodeError:
            return answer.status, text

    def create(self, path: str, body: object) -> Any:
        """Sends a POST and returns the created object; ServiceError with the problem's text otherwise."""
        status, answer = self.call("POST", path, body)
        if status != 201:
            raise ServiceError(f"POST {path} returned {status}: {json.dumps(answer)[:600]}")
        return answer

    def existing(self, path: str) -> list[Any]:
        """First page of a list."""
        status, answer = self.call("GET", path)
        if status != 200:
            raise ServiceError(f"GET {path} returned {status}: {json.dumps(answer)[:600]}")
        results: list[Any] = answer["results"]
        return results

    def ready(self) -> bool:
        """Whether every component of the console works: database, Redis, a worker, a monitor."""
        try:
            status, answer = self.call("GET", "/readyz")
        except OSError:
            return False
        return status == 200 and bool(answer["status"] == "ready")
