"""The provider as its discovery document describes it, fetched with time limits and kept for a while."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from django.conf import settings
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from backend.common.outgoing.addresses import PROVIDER
from backend.common.outgoing.http_fetch import FetchError, fetch
from backend.common.outgoing.waiting_room import WaitingRoom
from backend.identity.single_sign_on.oidc.errors import ProviderError

KEPT_S: Final = 3600.0
"""How long discovery document and keys are used without asking again."""
RETRY_S: Final = 10.0
"""A provider that failed, or that has no key of an id, is not asked again before."""
_ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint")
log = structlog.get_logger(__name__)


@dataclass
class _Entry:
    """The last document of one address, and when it was last asked for."""

    document: dict[str, Any] | None = None
    asked_at: float = float("-inf")
    error: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


_cached: dict[str, _Entry] = {}
_room = WaitingRoom()


def is_configured() -> bool:
    """Whether the settings name a provider."""
    return bool(settings.HAWSER_OIDC_ISSUER)


def metadata() -> dict[str, Any]:
    """The discovery document; raises ProviderError while the provider does not answer with a valid one."""
    issuer = settings.HAWSER_OIDC_ISSUER
    document = _document(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if document.get("issuer") != issuer:
        raise ProviderError(f"the provider calls itself {str(document.get('issuer'))[:200]}, the setting says {issuer}")
    for name in _ENDPOINTS[:3]:
        if not isinstance(document.get(name), str):
            raise ProviderError(f"its discovery document has no {name}")
    for name in _ENDPOINTS:
        if issuer.startswith("https:") and not str(document.get(name, "https:")).startswith("https:"):
            raise ProviderError(f"the {name} of its discovery document is not https")
    return document


def keys(*, fresh: bool = False) -> KeySet:
    """The provider's public keys; `fresh` asks again, for a token whose key is not among them."""
    try:
        return KeySet.import_key_set(_document(metadata()["jwks_uri"], fresh=fresh))  # type: ignore[arg-type]
    except (JoseError, KeyError, TypeError, ValueError) as error:
        raise ProviderError("its keys cannot be read") from error


def forget() -> None:
    """Ask again for everything."""
    _cached.clear()


def _document(url: str, *, fresh: bool = False) -> dict[str, Any]:
    """The document of an address. It is asked for once at a time; whoever comes meanwhile gets the one of before.

    Only who has none, or needs a fresh one, waits for the answer: an old one is renewed in the background.
    """
    entry = _cached.setdefault(url, _Entry())
    age = time.monotonic() - entry.asked_at
    if age >= RETRY_S and (entry.document is None or fresh or age >= KEPT_S) and entry.lock.acquire(blocking=False):
        if entry.document is None or fresh:
            _renew(entry, url)
        else:
            threading.Thread(target=_renew, args=(entry, url), daemon=True).start()
    if entry.document is None:
        raise ProviderError(entry.error or "it has not answered yet")
    return entry.document


def _renew(entry: _Entry, url: str) -> None:
    """Ask for the document, and release the entry's lock."""
    try:
        entry.asked_at = time.monotonic()
        entry.document, entry.error = _fetched(url), ""
    except ProviderError as error:
        entry.error = str(error)
        log.warning("oidc.not_fetched", error=entry.error)
    finally:
        entry.lock.release()


def _fetched(url: str) -> dict[str, Any]:
    answer = call("GET", url)
    try:
        document = json.loads(answer.body) if answer.status == 200 else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise ProviderError(f"it answered {answer.status}, and not with a document")
    return document


def call(method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
    """One call to the provider; raises ProviderError if no answer came, or too many wait for one."""
    try:
        with _room.place(ProviderError, FetchError):
            return fetch(
                method,
                url,
                body=body,
                headers={"Accept": "application/json", **(headers or {})},
                timeout_s=settings.HAWSER_OIDC_TIMEOUT_S,
                allowed=PROVIDER,
                ca_file=settings.HAWSER_OIDC_CA_FILE or None,
            )
    except FetchError as error:
        raise ProviderError(str(error)) from error
