"""What the stores of cloud providers share: which secrets may be named, a field of one, tokens in memory."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings

from backend.clusters.secret_stores.http_json import CallError, send
from backend.clusters.secret_stores.model import ReferenceRefusedError, Secret, StoreError, one_line

_NAME = re.compile(r"[A-Za-z0-9_/+=.@-]{1,256}(#[A-Za-z0-9_.-]{1,128})?")
_EARLY = 0.8
"""A token is replaced after this part of its time."""


def check_allowed(kind: str, name: str, where: str, example: str) -> None:
    """Refuse what is no name, a store that is not set up, and what HAWSER_CLOUD_PATHS does not list."""
    if not where:
        raise ReferenceRefusedError(f"{kind}: is not set up. Let the host's administrator set it up.")
    if not _NAME.fullmatch(name) or ".." in name:
        raise ReferenceRefusedError(f"Give the name of a secret, such as {example}.")
    reference = f"{kind}:{name}"
    if not any(_is_of(reference, allowed) for allowed in settings.HAWSER_CLOUD_PATHS):
        raise ReferenceRefusedError(
            f"HAWSER_CLOUD_PATHS does not allow {reference}. Let the host's administrator add it to that setting."
        )


def _is_of(reference: str, allowed: str) -> bool:
    whole = reference.partition("#")[0]
    return whole.startswith(allowed[:-1]) if allowed.endswith("*") else allowed in (reference, whole)


def field_of(text: str, field: str, reference: str) -> Secret:
    """The secret's text, or a field of it where it is a JSON object."""
    if not field:
        return Secret(one_line(text.encode(), reference))
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get(field), str):
        raise StoreError(f"{reference.partition('#')[0]} has no field {field}.")
    return Secret(one_line(found[field].encode(), reference))


def ask(
    store: str, base: str, method: str, path: str, *, headers: Mapping[str, str], data: bytes | None = None
) -> Mapping[str, Any]:
    """One call of a provider; raises StoreError, which quotes no answer."""
    try:
        return send(base, method, path, headers=headers, data=data, ca_file=settings.HAWSER_CLOUD_CA_PATH)
    except CallError as error:
        raise StoreError(f"{store} at {base} did not give it: {error}.") from None


class Token:
    """An access token, made again before it ends."""

    def __init__(self, make: Callable[[], tuple[str, float]]) -> None:
        self._lock, self._make = threading.Lock(), make
        self._token, self._until = "", 0.0

    def value(self) -> str:
        """The token; raises StoreError."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._token, lasts_s = self._make()
                self._until = time.monotonic() + _EARLY * lasts_s
            return self._token

    def forget(self) -> None:
        """Make a new one at the next call."""
        with self._lock:
            self._until = 0.0


def token_of(answer: Mapping[str, Any], store: str) -> tuple[str, float]:
    """Token and seconds of an OAuth 2.0 answer."""
    token = answer.get("access_token")
    if not isinstance(token, str) or not token:
        raise StoreError(f"{store} gave no token.")
    return token, float(answer.get("expires_in") or 60)
