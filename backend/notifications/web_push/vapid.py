"""The key pair with which the console identifies itself to push services (VAPID, RFC 8292)."""

from __future__ import annotations

import time

from cryptography.hazmat.primitives import serialization
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from backend.common.outgoing.url_policy import Target

VALID_S = 12 * 3600
"""How long a signature is valid; RFC 8292 allows a day."""


def public_key() -> str | None:
    """The public key, in the form in which browsers take it; None if Web Push is not configured."""
    if not settings.HAWSER_WEB_PUSH_KEY:
        return None
    point = _pair().public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return str(b64urlencode(point))


def authorization(target: Target) -> str:
    """The header that proves to the push service who sends."""
    claims = {
        "aud": f"{'https' if target.is_tls else 'http'}://{target.header}",
        "exp": int(time.time()) + VALID_S,
        "sub": settings.HAWSER_WEB_PUSH_CONTACT,
    }
    return str(_pair().sign(claims)["Authorization"])


def _pair() -> Vapid02:
    return Vapid02.from_raw(settings.HAWSER_WEB_PUSH_KEY.encode())
