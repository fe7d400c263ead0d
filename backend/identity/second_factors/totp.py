"""Codes of authenticator apps (RFC 6238): six digits, SHA-1, 30 seconds, which is what every app can do."""

from __future__ import annotations

import base64
import secrets
import time
from typing import Final

import segno
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor import InvalidToken
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from backend.common import sealing
from backend.identity.accounts.models import User

STEP_S: Final = 30
_SECRET_BYTES: Final = 20
DIGITS: Final = 6
_DRIFT: Final = (-1, 0, 1)
"""Time steps that a clock may differ."""


def new_secret() -> str:
    """A new secret as an app takes it (base32)."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def seal(secret: str, user: User) -> str:
    """The secret, readable only with the key and only for this user."""
    return sealing.seal(secret, cluster_id=f"user {user.pk}", role="totp")


def unseal(sealed: str, user: User) -> str:
    """The secret of this user."""
    return sealing.unseal(sealed, cluster_id=f"user {user.pk}", role="totp")


def uri(secret: str, user: User) -> str:
    """What an app reads from the QR code."""
    return _totp(secret).get_provisioning_uri(user.username, "Hawser")


def qr_code(content: str) -> str:
    """The QR code as the address of an image that holds its own content, so no other host is asked."""
    return segno.make(content, error="m").svg_data_uri(scale=5, light="#fff", dark="#000", border=4)


def step_of(code: str, secret: str) -> int | None:
    """The time step of a right code; None for a wrong one."""
    now = time.time()
    for drift in _DRIFT:
        try:
            _totp(secret).verify(code.encode(), int(now) + drift * STEP_S)
        except InvalidToken:
            continue
        return int(now) // STEP_S + drift
    return None


def _totp(secret: str) -> TOTP:
    return TOTP(base64.b32decode(secret), DIGITS, SHA1(), STEP_S)  # noqa: S303 -- what the apps support; HMAC-SHA-1 is sound
