"""Sends one message to one browser: encrypted for it alone (RFC 8291), by one bounded call without redirects."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from backend.common.outgoing.addresses import PUSH_SERVICES
from backend.common.outgoing.http_client import Reply, post
from backend.common.outgoing.url_policy import TargetError, parse
from backend.common.sealing import SealError
from backend.notifications.web_push import vapid
from backend.notifications.web_push.address import PushAddress, decoded, open_address
from backend.notifications.web_push.models import PushSubscription

TIMEOUT_S = 5.0
TTL_S = 3600
"""How long a push service keeps a message for a browser that is offline; an older one is no news."""


def send(subscription: PushSubscription, payload: Mapping[str, Any]) -> Reply:
    """One attempt; never raises for the push service's fault."""
    if not settings.HAWSER_WEB_PUSH_KEY:
        return Reply(None, 0.0, error="HAWSER_WEB_PUSH_KEY is not set")
    try:
        address = open_address(subscription)
        headers = _headers(address, payload)
    except (SealError, TargetError) as error:
        return Reply(None, 0.0, error=str(error))
    body = encrypted(payload, address)
    reply = post(address.endpoint, body, headers, timeout_s=TIMEOUT_S, allowed=PUSH_SERVICES)
    # It becomes a part of a sentence.
    return replace(reply, error=reply.error.rstrip("."))


def encrypted(payload: Mapping[str, Any], address: PushAddress) -> bytes:
    """The payload, which only the browser can decrypt; the sender's key is used once."""
    content = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    sealed = http_ece.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(address.p256dh),
        auth_secret=decoded(address.auth),
        version="aes128gcm",
    )
    return bytes(sealed)


def _headers(address: PushAddress, payload: Mapping[str, Any]) -> dict[str, str]:
    return {
        "Authorization": vapid.authorization(parse(address.endpoint)),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "User-Agent": f"Hawser/{settings.HAWSER_VERSION}",
        "TTL": str(TTL_S),
        "Urgency": "high",
        # A newer message of the same subject replaces this one while the browser is offline.
        "Topic": hashlib.sha256(payload["tag"].encode()).hexdigest()[:32],
    }
