"""Writes a message in the format of a service, by Apprise, which sends nothing itself.

Apprise's plugins call `requests`, which resolves names, follows redirects and uses proxies of the environment. So each
plugin runs while `requests` has no way out: where a session would open a connection, the prepared call is recorded. It
is then made by the webhooks' own client. This holds for every plugin that uses `requests`; one that made no call, or
more than one, is refused.

Only a worker imports this module, when it sends: Apprise takes a quarter of a second and 12 MB.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from apprise import NotifyFormat
from apprise.exception import AppriseException
from requests import PreparedRequest, Response, sessions
from requests.adapters import BaseAdapter

from backend.core.hooks import HookService
from backend.notifications.hooks.messages.message import Message
from backend.notifications.hooks.messages.plugins import PLUGINS, type_of

_ONE_AT_A_TIME = threading.Lock()
_SESSIONS: Any = sessions
"""Each session of `requests` makes its adapters by the name `HTTPAdapter` of this module."""


class _Silent(logging.Filter):
    """Apprise's log quotes keys and payloads: nothing of it is logged, however logging is configured later."""

    def filter(self, record: logging.LogRecord) -> bool:
        """No record passes."""
        return False


logging.getLogger("apprise").addFilter(_Silent())


class ComposingError(Exception):
    """Apprise did not write exactly one call; the text quotes nothing of the destination."""


@dataclass(frozen=True, slots=True)
class ComposedCall:
    """A POST that is to be made."""

    url: str
    headers: Mapping[str, str]
    body: bytes


def compose(service: HookService, fields: Mapping[str, Any], message: Message) -> ComposedCall:
    """The one call that tells the service of the message; raises ComposingError."""
    title, body = _texts(service, message)
    with _recorded() as calls:
        try:
            plugin = PLUGINS[service](fields, message)
            plugin.notify(body=body, title=title, notify_type=type_of(message), body_format=NotifyFormat.TEXT)
        except (AppriseException, TypeError, ValueError) as error:
            raise ComposingError("Apprise refused the fields of the destination") from error
    if len(calls) != 1 or calls[0].method != "POST":
        raise ComposingError(f"Apprise wrote {len(calls)} calls in place of one")
    return _composed(service, calls[0])


class _Recorder(BaseAdapter):
    """Stands where `requests` would open a connection, and answers every call as accepted."""

    def __init__(self, calls: list[PreparedRequest]) -> None:
        super().__init__()
        self._calls = calls

    def send(self, request: PreparedRequest, *_: Any, **__: Any) -> Response:
        """Record the call."""
        self._calls.append(request)
        response = Response()
        response.status_code, response.request = 200, request
        response._content = b"ok"  # noqa: SLF001 - the library has no other way to make a response
        return response

    def close(self) -> None:
        """Nothing is open."""


@contextmanager
def _recorded() -> Iterator[list[PreparedRequest]]:
    """The calls that `requests` would make in this block, none of which is made."""
    calls: list[PreparedRequest] = []
    with _ONE_AT_A_TIME:
        adapter = _SESSIONS.HTTPAdapter
        _SESSIONS.HTTPAdapter = lambda: _Recorder(calls)
        try:
            yield calls
        finally:
            _SESSIONS.HTTPAdapter = adapter


def _texts(service: HookService, message: Message) -> tuple[str, str]:
    """Title and body."""
    if service is HookService.PAGERDUTY:
        return "", message.headline
    return (message.headline if service is HookService.OPSGENIE else message.title), message.text


def _composed(service: HookService, call: PreparedRequest) -> ComposedCall:
    sent = ("Content-Type", "Accept", *(("Authorization",) if service is HookService.OPSGENIE else ()))
    headers = {name: str(call.headers[name]) for name in sent if name in call.headers}
    body = call.body if isinstance(call.body, bytes) else str(call.body).encode()
    return ComposedCall(str(call.url), headers, body)
