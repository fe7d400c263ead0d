"""One call of a secret store's API: JSON in, JSON out, without redirects or proxies; time and size are limited."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from backend.common.outgoing.time_limit import cut_at

LIMIT_S = 3.0
MOST_BYTES = 65_536


class CallError(Exception):
    """The store did not answer, or not with a result; `status` is 0 where it did not answer. It quotes no body."""

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


def call(
    base: str, method: str, path: str, *, headers: Mapping[str, str], body: Mapping[str, Any] | None, ca_file: str
) -> Mapping[str, Any]:
    """The answer's object; raises CallError."""
    data = None if body is None else json.dumps(body).encode()
    connection = _connection(base, ca_file)
    try:
        with cut_at(time.monotonic() + LIMIT_S, lambda: connection.sock):
            connection.request(method, urlsplit(base).path.rstrip("/") + path, data, dict(headers))
            answer = connection.getresponse()
            found = answer.read(MOST_BYTES + 1)
        if answer.length and len(found) <= MOST_BYTES:
            raise http.client.IncompleteRead(found)  # with a size given, `read` returns what had come when it was cut
    except (OSError, http.client.HTTPException) as error:
        raise CallError(f"it did not answer ({type(error).__name__})") from None
    finally:
        connection.close()
    if answer.status == 204:
        return {}
    if answer.status != 200 or len(found) > MOST_BYTES:
        raise CallError(f"it answered {answer.status}", answer.status)
    return _object(found)


def _connection(base: str, ca_file: str) -> http.client.HTTPConnection:
    parts = urlsplit(base)
    host = parts.hostname or ""
    if parts.scheme == "https":
        context = ssl.create_default_context(cafile=ca_file or None)
        return http.client.HTTPSConnection(host, parts.port, timeout=LIMIT_S, context=context)
    return http.client.HTTPConnection(host, parts.port, timeout=LIMIT_S)


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(data)
    except ValueError:
        raise CallError("its answer is no JSON", 200) from None
    if not isinstance(found, dict):
        raise CallError("its answer is no object", 200)
    return found
