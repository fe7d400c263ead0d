"""Address and keys of a browser: checked when they are given, sealed like a password, opened for a message."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.utils.crypto import salted_hmac

from backend.common.errors import invalid
from backend.common.outgoing.addresses import PUSH_SERVICES
from backend.common.outgoing.url_policy import Target, check_url
from backend.common.sealing import seal, unseal
from backend.notifications.web_push.models import PushSubscription

_ROLE = "push address"
"""The purpose under which an address is encrypted for a subscription's id; nothing else can decrypt it."""
_SALT = "backend.notifications.web_push.address"
_AUTH_BYTES = 16


@dataclass(frozen=True, slots=True)
class PushAddress:
    """What a browser's `PushSubscription.toJSON()` holds."""

    endpoint: str
    p256dh: str
    auth: str


def check_address(address: PushAddress) -> Target:
    """Where the endpoint leads to; a ProblemError names the field that cannot be used."""
    target = check_url(address.endpoint, "endpoint", allowed=PUSH_SERVICES)
    is_test = settings.HAWSER_ALLOW_LOOPBACK and target.host == "127.0.0.1"
    if not (target.is_tls or is_test):
        raise invalid("endpoint", "The address of a push service must start with https://. Subscribe again.")
    if ":" in target.host:
        raise invalid("endpoint", "The address of a push service must name its host. Subscribe again.")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(address.p256dh))
    except ValueError as error:
        raise invalid("p256dh", "This is not a public key of a browser. Subscribe again.") from error
    try:
        has_length = len(decoded(address.auth)) == _AUTH_BYTES
    except ValueError:
        has_length = False
    if not has_length:
        raise invalid("auth", f"This is not base64url of {_AUTH_BYTES} bytes. Subscribe again.")
    return target


def decoded(text: str) -> bytes:
    """Bytes of base64url without padding; ValueError if it is not that."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("not base64url") from error


def endpoint_digests(endpoint: str) -> list[str]:
    """Each finds a subscription by its endpoint, and tells a reader of the database nothing of it.

    The first is by the key in force, the others by its fallbacks.
    """
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [salted_hmac(_SALT, endpoint, secret=key, algorithm="sha256").hexdigest() for key in keys]


def seal_address(address: PushAddress, *, subscription_id: str) -> str:
    """The address, readable only with the console's key and only for this subscription."""
    content = json.dumps([address.endpoint, address.p256dh, address.auth])
    return seal(content, cluster_id=subscription_id, role=_ROLE)


def open_address(subscription: PushSubscription) -> PushAddress:
    """The address; raises SealError."""
    return PushAddress(*json.loads(unseal(subscription.sealed, cluster_id=subscription.id, role=_ROLE)))
