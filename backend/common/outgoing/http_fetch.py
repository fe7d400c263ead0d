"""Fetches a whole document over HTTP: limited in total time and size, from one checked address, without redirects."""

from __future__ import annotations

import http.client
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from backend.common.outgoing.http_client import PinnedConnection, error_text
from backend.common.outgoing.time_limit import cut_at
from backend.common.outgoing.url_policy import Target, TargetError, address_of, parse

MAX_BYTES = 512 * 1024


class FetchError(Exception):
    """No whole answer came; the text says why, without secrets."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer: status and body."""

    status: int
    body: bytes


def fetch(
    method: str,
    url: str,
    *,
    timeout_s: float,
    allowed: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    ca_file: str | None = None,
) -> Fetched:
    """The answer of the server; raises FetchError. `allowed` names the setting with the networks that may be called."""
    until = time.monotonic() + timeout_s
    try:
        target = parse(url)
        address = str(address_of(target, timeout_s, allowed=allowed))
        return _exchange(PinnedConnection(target, address, until, ca_file), target, method, body, headers or {})
    except TargetError as error:
        raise FetchError(str(error)) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = time.monotonic() >= until
        raise FetchError(f"no response within {timeout_s:g} s" if late else error_text(error)) from error


def _exchange(
    connection: PinnedConnection, target: Target, method: str, body: bytes | None, headers: Mapping[str, str]
) -> Fetched:
    with cut_at(connection.until, lambda: connection.sock), closing(connection):
        connection.request(method, target.path, body, {**headers, "Host": target.header})
        response = connection.getresponse()
        content = response.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"the answer is larger than {MAX_BYTES} bytes")
    return Fetched(response.status, content)
